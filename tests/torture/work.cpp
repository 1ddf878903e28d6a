#include "tests/torture/work.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pulsecast::torture {
namespace {

namespace fs = std::filesystem;

void lay_down(const fs::path& folder, const Files& files) {
  for (const auto& [name, bytes] : files) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
}

bool is_temporary(const std::string& name) { return name.find(".tmp-") != std::string::npos; }

}  // namespace

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Files files_below(const fs::path& folder) {
  Files files;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (each.is_regular_file()) {
      files[fs::relative(each.path(), folder).string()] = contents(each.path());
    }
  }
  return files;
}

Work::Work(std::string kind, fs::path folder)
    : kind_(std::move(kind)), folder_(std::move(folder)) {}

const Files& Work::old() {
  if (!old_) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::all);
    make_old();
    old_ = files_below(folder_);
  }
  return *old_;
}

const Undisturbed& Work::undisturbed() {
  if (!undisturbed_) {
    prepare();
    const Ending ending = run({.arguments = begin()});
    const std::optional<std::string> came = result();
    // Exit code 1 is a result too: a model that diverged is a model.
    if (ending.exit_code < 0 || ending.exit_code > 1 || !came) {
      throw std::runtime_error(command_text({.arguments = begin()}) + ": " + to_text(ending));
    }
    undisturbed_ = {ending.exit_code, *came, files_below(folder_)};
    took(ending.time);
  }
  return *undisturbed_;
}

void Work::prepare() {
  const Files& files = old();
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::all);
  lay_down(folder_, files);
  for (const auto& each : fs::recursive_directory_iterator(folder_)) {
    fs::permissions(each.path(), fs::perms::all);
  }
}

std::string Work::hurt() {
  undisturbed();
  for (const auto& [name, bytes] : old()) {
    if (!is_old_or_new(name, bytes)) return name + " is neither what it was nor what it becomes";
  }
  return "";
}

std::string Work::temporary_files() const {
  std::string names;
  for (const auto& [name, bytes] : files_below(folder_)) {
    if (is_temporary(name)) names += " " + name;
  }
  return names;
}

std::string Work::leftovers() {
  const Files& expected = undisturbed().files;
  std::string names;
  for (const auto& [name, bytes] : files_below(folder_)) {
    if (!expected.contains(name)) names += " " + name;
  }
  return names;
}

Ending Work::must_run(const std::vector<std::string>& arguments) const {
  Ending ending = run({.arguments = arguments});
  if (ending.exit_code == 0) return ending;
  throw std::runtime_error(command_text({.arguments = arguments}) + ": " + to_text(ending));
}

void make_rows(const fs::path& folder) {
  const std::vector<std::string> arguments = {
      "data", "make", (folder / "rows.csv").string(), "--rows=260", "--channels=2", "--seed=3"};
  const Ending ending = run({.arguments = arguments});
  if (ending.exit_code != 0) {
    throw std::runtime_error(command_text({.arguments = arguments}) + ": " + to_text(ending));
  }
}

}  // namespace pulsecast::torture
