// Candidates against each other: who has which slice of the budget, and what each is worth in the
// end. search.h says in which order.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/search/search_state.h"
#include "pulsecast/search/spending.h"
#include "pulsecast/search/trial.h"

namespace pulsecast::search {

// Where a contest is saved, and how often.
struct ContestFile {
  std::filesystem::path path;
  std::string fingerprint;
  double seconds = 30.0;  // from one save to the next
};

class Contest {
 public:
  // All outlive it. `from` is where an earlier run stood.
  Contest(const std::vector<Candidate>& candidates, const Ground& ground, const Budget& budget,
          std::int64_t seed, const Watch& watch, std::optional<ContestFile> file,
          std::optional<SearchState> from);

  // Asked to finish, it ends with what was judged by then; cancelled, it saves and throws
  // Error(kInterrupted). Throws Error(kTraining) where no candidate has a finite error.
  void run();

  std::size_t size() const { return trials_.size(); }
  Trial& trial(std::size_t index) { return *trials_[index].trial; }
  const Trial& trial(std::size_t index) const { return *trials_[index].trial; }
  std::int64_t seed_of(std::size_t index) const { return trials_[index].seed; }
  // In the forecast, one a trial; they add up to 1.
  const std::vector<double>& shares() const { return shares_; }
  // Trials with a share, the largest first.
  std::vector<std::size_t> members() const;
  std::int64_t steps() const { return spending_.steps(); }
  double seconds() const { return spending_.seconds(); }
  bool was_ended() const { return is_ended_; }
  // Whether validation is long enough to find shares on.
  bool can_weigh() const;

 private:
  struct Entry {
    std::size_t candidate;
    std::int64_t seed;
    std::unique_ptr<Trial> trial;
  };

  void add(std::size_t candidate, std::int64_t seed);
  void restore(SearchState from);
  void solve_closed_forms();
  // As a closed form of the same kind with a shorter look-back lets expect; 0 where there is none.
  double expected_seconds(std::size_t index) const;
  // A slice for each that is going and has not had it in this phase; then the next phase.
  template <typename SliceOf>
  void give(Phase next_phase, SliceOf slice_of);
  void learn(std::size_t index, const Slice& slice);
  // The finalists, and where the budget reaches further more starts of them.
  void call_finalists();
  bool is_ample(std::size_t among) const;
  // Those that the blend of everything judged so far would have most of; then the best alone.
  void keep_best(std::size_t count);
  std::vector<double> shares_now() const;
  void tell(std::size_t index) const;
  void save();
  [[noreturn]] void interrupt();

  const std::vector<Candidate>& candidates_;
  const Ground& ground_;
  Spending spending_;
  std::int64_t seed_;
  const Watch& watch_;
  std::optional<ContestFile> file_;
  std::vector<Entry> trials_;
  Phase phase_ = Phase::kClosedForms;
  std::vector<std::size_t> going_;
  std::size_t next_ = 0;
  std::vector<double> shares_;
  double last_save_ = 0.0;
  bool is_ended_ = false;
};

}  // namespace pulsecast::search
