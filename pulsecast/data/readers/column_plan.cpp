#include "pulsecast/data/readers/column_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/even_stamps.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {
namespace {

using Use = ColumnPlan::Use;

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
      : header_(header), columns_(header, sample), settings_(settings), source_(source) {
    for (std::size_t i = 0; i < header.names.size(); ++i) place_[header.names[i]] = i;
    plan_.uses.assign(header.names.size(), Use::kValue);
  }

  ColumnPlan plan() && {
    skip_trailing_separator();
    skip_row_numbers();
    find_time();
    find_series();
    find_statics();
    return std::move(*this).plan_values();
  }

  ColumnPlan plan_values(bool is_long) && {
    plan_.has_time = true;
    plan_.is_long = is_long;
    find_statics();
    return std::move(*this).plan_values();
  }

 private:
  ColumnPlan plan_values() && {
    assign_roles();
    if (plan_.columns.empty() && plan_.labels.size() == plan_.ids.size()) {
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

  void skip(std::size_t column, std::string note) {
    plan_.uses[column] = Use::kSkip;
    plan_.notes.push_back(std::move(note));
  }

  // A line that ends with a separator has one cell too many, which nobody means.
  void skip_trailing_separator() {
    const std::size_t last = columns_.count() - 1;
    if (last == 0 || !columns_.is_unnamed(last)) return;
    if (columns_.share(last, [](const std::string& cell) { return cell.empty(); }) < 1) return;
    skip(last, "lines end with a separator; the empty column after it is skipped");
  }

  // What pandas writes for the index of its rows.
  void skip_row_numbers() {
    if (columns_.count() < 3) return;
    if (!columns_.is_unnamed(0) && !columns_.name(0).starts_with("Unnamed: 0")) return;
    const std::vector<std::string> cells = columns_.cells(0);
    if (cells.empty() || (cells.front() != "0" && cells.front() != "1")) return;
    const int first = cells.front() == "0" ? 0 : 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] != std::to_string(first + static_cast<int>(i))) return;
    }
    skip(0, "the first column has no name and counts the rows; it is left out");
  }

  void find_time() {
    if (settings_.time_column) {
      if (settings_.start) {
        throw make_error(ErrorKind::kUsage, Place(source_).about("time-column"),
                         "contradicts 'start', which is for rows without stamps")
            .with(remedy::advice("give one of them"));
      }
      take_time(place(*settings_.time_column, "time-column"));
      return;
    }
    if (settings_.layout != Layout::kNumbers && !settings_.start) {
      const TimeColumns found = find_time_columns(columns_);
      if (found.parts.size() == 1) take_time(found.parts.front().column);
      if (found.parts.size() > 1) take_time_parts(found.parts);
      leave_out_other_stamps(found);
      if (!found.parts.empty()) return;
    }
    if (settings_.start && settings_.step) return;
    throw make_error(
        ErrorKind::kData, source_,
        "there is no column of stamps (expected a form such as {}); the columns are: {}",
        kStampForms, listed(header_.names))
        .with(remedy::open("time-column", "names it"))
        .with(example_start_and_step("gives rows without stamps theirs"));
  }

  void take_time(std::size_t column) {
    plan_.has_time = true;
    plan_.uses[column] = Use::kTime;
    plan_.notes.push_back(fmt::format("stamps from column '{}'", header_.names[column]));
  }

  void take_time_parts(const std::vector<TimePart>& parts) {
    plan_.has_time = true;
    plan_.time_parts = parts;
    std::vector<std::string> names;
    for (const TimePart& part : parts) {
      plan_.uses[part.column] = Use::kTimePart;
      names.push_back(fmt::format("'{}'", header_.names[part.column]));
    }
    plan_.notes.push_back(fmt::format("stamps from columns {} together", fmt::join(names, ", ")));
  }

  void leave_out_other_stamps(const TimeColumns& found) {
    const auto is_told = [&](const std::string& name) {
      for (const auto* names : {&settings_.target, &settings_.known, &settings_.past}) {
        if (std::ranges::count(*names, name) > 0) return true;
      }
      return false;
    };
    for (const std::size_t column : found.others) {
      const std::string& name = header_.names[column];
      if (is_told(name)) continue;
      skip(column, fmt::format("column '{}' holds stamps too and is left out", name));
      plan_.found_time = header_.names[found.parts.front().column];
    }
    if (found.parts.size() > 1) plan_.found_time.reset();
  }

  // The columns that name a series: one, or several with commas between their names.
  std::vector<std::size_t> id_columns() const {
    if (place_.contains(settings_.id_column)) return {place_.at(settings_.id_column)};
    std::vector<std::size_t> columns;
    std::string_view rest = settings_.id_column;
    for (bool is_last = false; !is_last;) {
      const std::size_t comma = rest.find(',');
      is_last = comma == std::string_view::npos;
      const auto found = place_.find(std::string(trimmed(rest.substr(0, comma))));
      if (found == place_.end()) return {place(settings_.id_column, "id-column")};
      columns.push_back(found->second);
      if (!is_last) rest.remove_prefix(comma + 1);
    }
    return columns;
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
    id_columns_ = id_columns();
    for (const std::size_t column : id_columns_) plan_.uses[column] = Use::kLabel;
    if (settings_.target.empty()) place(settings_.value_column, "value-column");
    plan_.is_long = true;
    plan_.notes.push_back(
        fmt::format("long layout: a row a series of '{}' and stamp", settings_.id_column));
  }

  // Words or numbers, they are read as labels; one may be among those that name the series.
  void find_statics() {
    for (const std::string& name : settings_.static_columns) {
      const std::size_t column = place(name, "static");
      if (plan_.uses[column] == Use::kTime || plan_.uses[column] == Use::kTimePart) {
        throw_error(ErrorKind::kUsage, Place(source_).about("static"),
                    "column '{}' holds the stamps, and says another thing in each row", name);
      }
      plan_.uses[column] = Use::kLabel;
      static_columns_.push_back(column);
    }
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
        const bool has_stamps =
            plan_.uses[column] == Use::kTime || plan_.uses[column] == Use::kTimePart;
        if (has_stamps || plan_.uses[column] == Use::kLabel) {
          const bool is_id = std::ranges::count(id_columns_, column) > 0;
          throw_error(ErrorKind::kUsage, Place(source_).about(setting),
                      "column '{}' holds {} and can have no role", name,
                      has_stamps ? "the stamps"
                      : is_id    ? "the names of the series"
                                 : "what is the same in all rows of a series (static)");
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
      if (found == roles.end() && plan_.has_time && is_text(i)) {
        plan_.uses[i] = Use::kLabel;
        continue;
      }
      plan_.columns.push_back({header_.names[i], role, {}});
    }
    list_labels();
    if (!plan_.is_long) {
      std::ranges::copy_if(skipped, std::back_inserter(plan_.unread),
                           [&](const std::string& name) { return !is_text(place_.at(name)); });
    }
    if (!skipped.empty() && settings_.others == Others::kFound) {
      plan_.notes.push_back(
          fmt::format("columns that are neither known nor past are ignored: {}", listed(skipped)));
    }
  }

  // Words alone, as far as the sample goes.
  bool is_text(std::size_t column) const {
    const auto is_word = [](const std::string& cell) {
      return read_number(cell, '.').kind == NumberCell::Kind::kUnreadable &&
             read_number(cell, ',').kind == NumberCell::Kind::kUnreadable;
    };
    const auto is_empty = [](const std::string& cell) {
      return read_number(cell, '.').kind == NumberCell::Kind::kEmpty;
    };
    const double words = columns_.share(column, is_word);
    return words > 0 && words + columns_.share(column, is_empty) == 1;
  }

  void list_labels() {
    std::map<std::size_t, std::size_t> label_of;  // by column
    for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
      if (plan_.uses[i] != Use::kLabel) continue;
      label_of[i] = plan_.labels.size();
      plan_.labels.push_back(header_.names[i]);
    }
    for (const std::size_t column : id_columns_) plan_.ids.push_back(label_of.at(column));
    for (const std::size_t column : static_columns_) plan_.statics.push_back(label_of.at(column));
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
  SampleColumns columns_;
  const DataSettings& settings_;
  const std::string& source_;
  std::map<std::string, std::size_t> place_;
  std::vector<std::size_t> id_columns_;
  std::vector<std::size_t> static_columns_;
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
