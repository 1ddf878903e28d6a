#include "pulsecast/data/doctor/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/repair/repair_remedies.h"

namespace pulsecast {
namespace {

using Kind = Finding::Kind;

struct Tally {
  std::size_t findings = 0;
  std::size_t count = 0;
  std::size_t longest = 0;
};

std::map<Kind, Tally> tally(const std::vector<Finding>& findings) {
  std::map<Kind, Tally> tallies;
  for (const Finding& finding : findings) {
    Tally& own = tallies[finding.kind];
    ++own.findings;
    own.count += finding.count;
    own.longest = std::max(own.longest, finding.count);
  }
  return tallies;
}

// A gap alone would be refused.
Remedy gaps_filled_with(const char* fill, std::string effect) {
  return remedy::together({{"outliers", "gap"}, {"fill", fill}}, std::move(effect));
}

class Lister {
 public:
  explicit Lister(const std::vector<Finding>& findings)
      : findings_(findings), tallies_(tally(findings)) {}

  std::vector<Remedy> list() && {
    list_own();
    list_rows();
    list_outliers();
    list_fill();
    list_resample();
    list_drop();
    return std::move(remedies_);
  }

 private:
  std::size_t count(Kind kind) const {
    const auto found = tallies_.find(kind);
    return found == tallies_.end() ? 0 : found->second.count;
  }
  std::size_t longest(Kind kind) const {
    const auto found = tallies_.find(kind);
    return found == tallies_.end() ? 0 : found->second.longest;
  }
  void add(std::string setting, std::string value, std::string effect) {
    remedies_.push_back(remedy::set(std::move(setting), std::move(value), std::move(effect)));
  }

  // Those that findings bring along, each once.
  void list_own() {
    for (const Finding& finding : findings_) {
      for (const Remedy& remedy : finding.remedies) {
        if (std::ranges::find(remedies_, remedy) == remedies_.end()) remedies_.push_back(remedy);
      }
    }
  }

  void list_rows() {
    if (const std::size_t lines = count(Kind::kUnreadableRow) + count(Kind::kSkippedHour)) {
      add("bad-rows", "drop", "would leave out " + counted(lines, "line"));
    }
    if (const std::size_t rows = count(Kind::kOutOfOrder)) {
      add("order", "sort",
          fmt::format("would sort the rows by stamp ({} too late)",
                      counted(rows, "comes", "come")));
    }
    if (const std::size_t rows = count(Kind::kDuplicateStamp)) {
      add("duplicates", "first", "would leave out " + counted(rows, "row"));
      add("duplicates", "mean",
          fmt::format("would replace rows with one stamp by their mean ({} fewer)",
                      counted(rows, "row")));
    }
  }

  void list_outliers() {
    const std::size_t coded = count(Kind::kCodedValue);
    const std::size_t far = count(Kind::kOutlier);
    const std::size_t stuck = count(Kind::kStuckValue);
    if (coded + far + stuck == 0) return;
    const std::string turn =
        fmt::format("would turn {} into {}", counted(coded + far + stuck, "value"),
                    coded + far + stuck == 1 ? "a gap" : "gaps");
    remedies_.push_back(gaps_filled_with("none", turn + ", which no window crosses"));
    remedies_.push_back(gaps_filled_with("linear", turn + " and draw a straight line there"));
    if (far == 0) return;
    add("outliers", "clip",
        fmt::format("would replace {} by the nearest of the others{}",
                    counted(far, "value far beyond all others", "values far beyond all others"),
                    coded + stuck == 0
                        ? ""
                        : fmt::format(", and turn {} into gaps", counted(coded + stuck, "value"))));
  }

  void list_fill() {
    const std::size_t cells =
        count(Kind::kEmptyCells) + count(Kind::kUnreadableCell) + count(Kind::kInfiniteCell);
    const std::size_t steps = count(Kind::kGap);
    if (cells + steps == 0) return;
    std::set<std::string> channels;
    for (const Finding& finding : findings_) {
      if (finding.kind == Kind::kEmptyCells || finding.kind == Kind::kUnreadableCell ||
          finding.kind == Kind::kInfiniteCell) {
        channels.insert(finding.series + "\n" + finding.column);
      }
    }
    std::string what;
    if (cells > 0) {
      what = counted(cells, "cell") + " in " + counted(channels.size(), "channel");
    }
    if (steps > 0) {
      what += (what.empty() ? "" : " and ") + counted(steps, "missing step") + " in every channel";
    }
    const std::size_t run = std::max({longest(Kind::kEmptyCells), longest(Kind::kUnreadableCell),
                                      longest(Kind::kInfiniteCell), longest(Kind::kGap)});
    const std::string tail = "; the longest run has " + counted(run, "step");
    add("fill", "none", "would leave " + what + " as gaps, which no window crosses" + tail);
    add("fill", "zero", "would fill " + what + " with 0" + tail);
    add("fill", "previous", "would fill " + what + " with the value before" + tail);
    add("fill", "linear", "would fill " + what + " with a straight line between neighbours" + tail);
    add("fill", "seasonal", "would fill " + what + " with the value one period earlier" + tail);
  }

  void list_resample() {
    const std::size_t uneven = count(Kind::kUnevenStep) + count(Kind::kChangingStep);
    if (uneven == 0) return;
    std::set<std::string> steps;
    for (const Finding& finding : findings_) {
      if (finding.kind == Kind::kUnevenStep || finding.kind == Kind::kChangingStep) {
        steps.insert(finding.step);
      }
    }
    for (const std::string& step : steps) {
      add("resample", step,
          fmt::format("would put {} off the step onto an even grid, each value the mean of its "
                      "step",
                      counted(uneven, "row that lies", "rows that lie")));
      if (steps.size() > 5) break;
    }
    add("grid", "rows", "would take rows as they come and use stamps for the calendar alone");
  }

  void list_drop() {
    std::size_t constant = 0;
    std::size_t dead = 0;
    for (const Finding& finding : findings_) {
      constant += finding.kind == Kind::kConstantColumn;
      dead += finding.kind == Kind::kDeadChannel;
      if (finding.kind == Kind::kTextColumn) {
        add("ignore", finding.column, "would leave the column of text unread");
      }
    }
    if (constant + dead > 0) {
      remedies_.push_back(remedy::open(
          "drop", fmt::format("would leave out a channel: {}, {} died",
                              counted(constant, "never changes", "never change"), dead)));
    }
  }

  const std::vector<Finding>& findings_;
  std::map<Kind, Tally> tallies_;
  std::vector<Remedy> remedies_;
};

}  // namespace

std::vector<Remedy> remedies_of(const Finding& finding) {
  switch (finding.kind) {
    case Kind::kManySeries:
    case Kind::kClockChange:
    case Kind::kUnitChange:
      return finding.remedies;
    case Kind::kUnreadableRow:
    case Kind::kSkippedHour:
      return {remedy::set("bad-rows", "drop", "leaves the line out")};
    case Kind::kUnreadableCell:
    case Kind::kInfiniteCell:
      return {remedy::open("fill", "takes the cell for empty")};
    case Kind::kEmptyCells:
    case Kind::kGap:
      return fill_remedies();
    case Kind::kCodedValue:
    case Kind::kStuckValue:
      return {gaps_filled_with("linear", "takes them for gaps, and fills those")};
    case Kind::kOutlier:
      return {gaps_filled_with("linear", "takes it for a gap, and fills that"),
              remedy::set("outliers", "clip", "replaces it by the nearest of the others")};
    case Kind::kDuplicateStamp:
      return duplicate_remedies();
    case Kind::kOutOfOrder:
      return {remedy::set("order", "sort", "sorts the rows")};
    case Kind::kUnevenStep:
    case Kind::kChangingStep:
      return {remedy::set("resample", finding.step, "takes means over each step")};
    case Kind::kTextColumn:
      return {remedy::set("ignore", finding.column, "leaves the column unread")};
    case Kind::kConstantColumn:
    case Kind::kDeadChannel:
      return {remedy::set("drop", finding.series.empty() ? finding.column : finding.series,
                          "leaves the channel out")};
    case Kind::kIntermittent:
      return {};
    case Kind::kTwinSeries:
      return {remedy::set("drop", finding.series, "leaves the second out")};
    case Kind::kTooShort:
      return {remedy::smaller("lookback", "needs fewer steps"),
              remedy::smaller("horizon", "needs fewer steps")};
  }
  return {};
}

std::vector<Remedy> list_remedies(const std::vector<Finding>& findings) {
  return Lister(findings).list();
}

}  // namespace pulsecast
