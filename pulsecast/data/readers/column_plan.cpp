#include "pulsecast/data/readers/column_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/even_stamps.h"

namespace pulsecast {
namespace {

using Use = ColumnPlan::Use;

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool is_named_like_time(const std::string& name) {
  constexpr std::array kNames = {"date",     "ds",        "time",       "timestamp",
                                 "datetime", "date_time", "date time",  "utc_timestamp",
                                 "ts",       "utc",       "local_time", "epoch"};
  return std::find(kNames.begin(), kNames.end(), lower(name)) != kNames.end();
}

// Names for a message; a file may have thousands of columns.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 12;
  if (names.size() <= kMost) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, and {} more", fmt::join(names.begin(), names.begin() + kMost, ", "),
                     names.size() - kMost);
}

class Planner {
 public:
  Planner(const Header& header, const Sample& sample, const DataSettings& settings,
          const std::string& source)
      : header_(header), sample_(sample), settings_(settings), source_(source) {
    for (std::size_t i = 0; i < header.names.size(); ++i) place_[header.names[i]] = i;
    plan_.uses.assign(header.names.size(), Use::kValue);
  }

  ColumnPlan plan() && {
    skip_trailing_separator();
    find_time();
    find_series();
    return std::move(*this).plan_values();
  }

  ColumnPlan plan_values(bool is_long) && {
    plan_.has_time = true;
    plan_.is_long = is_long;
    return std::move(*this).plan_values();
  }

 private:
  ColumnPlan plan_values() && {
    assign_roles();
    if (plan_.columns.empty()) {
      throw_error(ErrorKind::kData, source_,
                  "there is no column of values beside the stamps; the columns are: {}",
                  listed(header_.names));
    }
    return std::move(plan_);
  }

  // Of long rows.
  const std::string& value_column() const {
    return header_.names.size() == 1 ? header_.names.front() : settings_.value_column;
  }

  std::size_t place(const std::string& name, const char* setting) const {
    const auto found = place_.find(name);
    if (found != place_.end()) return found->second;
    throw_error(ErrorKind::kUsage, Place(source_).about(setting),
                "there is no column '{}'; the columns are: {}.{}", name, listed(header_.names),
                did_you_mean(name, header_.names));
  }

  // Share of the rows in the sample whose cell `column` satisfies `test`.
  template <typename Test>
  double share(std::size_t column, Test test) const {
    std::size_t rows = 0;
    std::size_t good = 0;
    for (std::size_t i = header_.is_present ? 1 : 0; i < sample_.size(); ++i) {
      if (column >= sample_[i].size()) continue;
      ++rows;
      good += test(sample_[i][column]);
    }
    return rows == 0 ? 0 : static_cast<double>(good) / static_cast<double>(rows);
  }

  // A line that ends with a separator has one cell too many, which nobody means.
  void skip_trailing_separator() {
    const std::size_t last = header_.names.size() - 1;
    const bool is_unnamed = header_.is_present && sample_.front()[last].empty();
    if (last == 0 || !is_unnamed || sample_.size() < 2) return;
    if (share(last, [](const std::string& cell) { return cell.empty(); }) < 1) return;
    plan_.uses[last] = Use::kSkip;
    plan_.notes.emplace_back("lines end with a separator; the empty column after it is skipped");
  }

  std::optional<std::size_t> time_by_name() const {
    for (std::size_t i = 0; i < header_.names.size(); ++i) {
      const auto is_stamp = [](const std::string& cell) {
        const Stamp::Form form = read_stamp(cell).form;
        return form != Stamp::Form::kUnreadable && form != Stamp::Form::kEmpty;
      };
      if (header_.is_present && is_named_like_time(header_.names[i]) && share(i, is_stamp) >= 0.5) {
        return i;
      }
    }
    return std::nullopt;
  }

  std::optional<std::size_t> time_by_content() const {
    const auto is_date = [](const std::string& cell) {
      const Stamp::Form form = read_stamp(cell).form;
      return form == Stamp::Form::kYearFirst || form == Stamp::Form::kOpenOrder;
    };
    for (std::size_t i = 0; i < header_.names.size(); ++i) {
      if (share(i, is_date) > 0.5) return i;
    }
    return std::nullopt;
  }

  void find_time() {
    std::optional<std::size_t> time;
    if (settings_.time_column) {
      if (settings_.start) {
        throw make_error(ErrorKind::kUsage, Place(source_).about("time-column"),
                         "contradicts 'start', which is for rows without stamps")
            .with(remedy::advice("give one of them"));
      }
      time = place(*settings_.time_column, "time-column");
    } else if (settings_.layout != Layout::kNumbers && !settings_.start) {
      time = time_by_name();
      if (!time) time = time_by_content();
    }
    if (time) {
      plan_.has_time = true;
      plan_.uses[*time] = Use::kTime;
      plan_.notes.push_back(fmt::format("stamps from column '{}'", header_.names[*time]));
      return;
    }
    if (settings_.start && settings_.step) return;
    throw make_error(
        ErrorKind::kData, source_,
        "there is no column of stamps (expected a form such as {}); the columns are: {}",
        kStampForms, listed(header_.names))
        .with(remedy::open("time-column", "names it"))
        .with(example_start_and_step("gives rows without stamps theirs"));
  }

  void find_series() {
    const bool is_asked = settings_.layout == Layout::kLong;
    const bool has_both =
        place_.contains(settings_.id_column) && place_.contains(settings_.value_column);
    if (!is_asked && (settings_.layout != Layout::kFound || !has_both)) return;
    if (!plan_.has_time) {
      throw make_error(ErrorKind::kUsage, Place(source_).about("start"),
                       "cannot stand for the column of stamps that the long layout needs")
          .with(remedy::set("layout", "wide", "takes a column for a series"))
          .with(remedy::advice("leave it out"));
    }
    plan_.uses[place(settings_.id_column, "id-column")] = Use::kId;
    place(settings_.value_column, "value-column");
    plan_.is_long = true;
    plan_.notes.push_back(
        fmt::format("long layout: a row a series of '{}' and stamp", settings_.id_column));
  }

  void assign_roles() {
    std::map<std::size_t, Role> roles;
    std::vector<std::string> missing;  // where the columns named are all that is wanted
    const auto give = [&](const std::vector<std::string>& names, Role role, const char* setting) {
      for (const std::string& name : names) {
        if (settings_.others == Others::kIgnore && !place_.contains(name)) {
          missing.push_back(name);
          continue;
        }
        const std::size_t column = place(name, setting);
        if (plan_.uses[column] == Use::kTime || plan_.uses[column] == Use::kId) {
          throw_error(ErrorKind::kUsage, Place(source_).about(setting),
                      "column '{}' holds the {} and can have no role", name,
                      plan_.uses[column] == Use::kTime ? "stamps" : "names of the series");
        }
        const auto [entry, is_new] = roles.emplace(column, role);
        if (!is_new && entry->second != role) {
          throw_error(ErrorKind::kUsage, source_, "column '{}' is given two roles, {} and {}", name,
                      pulsecast::name(entry->second), pulsecast::name(role));
        }
      }
    };
    give(settings_.target, Role::kTarget, "target");
    give(settings_.known, Role::kKnown, "known");
    give(settings_.past, Role::kPast, "past");
    give(settings_.ignore, Role::kIgnored, "ignore");
    if (!missing.empty()) {
      throw_error(
          ErrorKind::kData, source_, "{} not there: {}. The columns are: {}",
          missing.size() == 1 ? "a column that is needed is" : "columns that are needed are",
          listed(missing), listed(header_.names));
    }
    if (plan_.is_long && settings_.target.empty()) {
      give({value_column()}, Role::kTarget, "value-column");
    }
    std::vector<std::string> skipped;
    for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
      if (plan_.uses[i] != Use::kValue) continue;
      const auto found = roles.find(i);
      const Role role = found == roles.end() ? default_role() : found->second;
      if (role == Role::kIgnored) {
        plan_.uses[i] = Use::kSkip;
        if (found == roles.end()) skipped.push_back(header_.names[i]);
        continue;
      }
      plan_.columns.push_back({header_.names[i], role, {}});
    }
    if (!skipped.empty() && settings_.others == Others::kFound) {
      plan_.notes.push_back(
          fmt::format("columns that are neither known nor past are ignored: {}", listed(skipped)));
    }
  }

  // Columns that nobody gave a role: channels of a wide file are targets, and beside targets that
  // were named they are the past that helps. Long files carry attributes, often text.
  Role default_role() const {
    if (plan_.is_long) return Role::kIgnored;
    switch (settings_.others) {
      case Others::kTarget:
        return Role::kTarget;
      case Others::kPast:
        return Role::kPast;
      case Others::kIgnore:
        return Role::kIgnored;
      case Others::kFound:
        break;
    }
    return settings_.target.empty() ? Role::kTarget : Role::kPast;
  }

  const Header& header_;
  const Sample& sample_;
  const DataSettings& settings_;
  const std::string& source_;
  std::map<std::string, std::size_t> place_;
  ColumnPlan plan_;
};

}  // namespace

ColumnPlan plan_columns(const Header& header, const Sample& sample, const DataSettings& settings,
                        const std::string& source) {
  return Planner(header, sample, settings, source).plan();
}

ColumnPlan plan_value_columns(const std::vector<std::string>& names, bool is_long,
                              const DataSettings& settings, const std::string& source) {
  Header header;
  header.names = names;
  return Planner(header, {}, settings, source).plan_values(is_long);
}

}  // namespace pulsecast
