// A piece of work for the program in a folder of its own: how it is begun and gone on with, what
// was there before, and what must come of it however it is disturbed.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/torture/child.h"

namespace pulsecast::torture {

std::string contents(const std::filesystem::path& file);

// Every file below a folder, by its path in it.
using Files = std::map<std::string, std::string>;
Files files_below(const std::filesystem::path& folder);

// What the work comes to when nobody disturbs it.
struct Undisturbed {
  int exit_code = 0;
  std::string result;
  Files files;  // that there are then
};

class Work {
 public:
  Work(std::string kind, std::filesystem::path folder);
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // "train", "refit", "sweep": what is counted together.
  const std::string& kind() const { return kind_; }
  const std::filesystem::path& folder() const { return folder_; }
  const Undisturbed& undisturbed();

  // Of all times that it came to its end: a machine may be slow for a while, and what is killed
  // later than its end is not killed.
  Milliseconds shortest_time() const { return shortest_time_; }
  void took(Milliseconds time) { shortest_time_ = std::min(shortest_time_, time); }

  // The folder as it was before the work began.
  void prepare();
  virtual std::vector<std::string> begin() const = 0;
  virtual std::vector<std::string> go_on() const { return begin(); }
  // The part of the outcome that may not depend on when it was stopped; none while there is none.
  virtual std::optional<std::string> result() const = 0;
  // What is left of what was there before: empty, or what is wrong with it.
  std::string hurt();

  // Temporary files, which nobody but a killed program may leave.
  std::string temporary_files() const;
  // Whatever lies about beside what undisturbed work leaves.
  std::string leftovers();

 protected:
  // Makes what was there before; the folder is empty.
  virtual void make_old() = 0;
  virtual bool is_old_or_new(const std::string& file, const std::string& old) = 0;
  // Runs the program; throws std::runtime_error if it does not end well.
  Ending must_run(const std::vector<std::string>& arguments) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  const Files& old();

  std::string kind_;
  std::filesystem::path folder_;
  std::optional<Files> old_;
  std::optional<Undisturbed> undisturbed_;
  Milliseconds shortest_time_ = Milliseconds::max();
};

// Rows that every work reads: `folder`/rows.csv.
void make_rows(const std::filesystem::path& folder);

// What there is to disturb, in folders below `ground`: trainings drawn by `seed` over backbones,
// settings and threads, with --refit and gone on with, a benchmark, a sweep, a forecast, made rows.
std::vector<std::unique_ptr<Work>> make_works(const std::filesystem::path& ground,
                                              std::uint64_t seed);

}  // namespace pulsecast::torture
