// Each setting is declared once: name, type, default, range, meaning, group.
//
// A part of the product keeps its settings in a plain struct whose member initialisers are the
// defaults, and binds a name, a range and a meaning to each member:
//
//   struct WindowSettings {
//     std::int64_t lookback = 96;
//     std::optional<std::int64_t> period;      // an optional may stay unset
//   };
//   const Declaration<WindowSettings>& window_settings() {
//     static const auto declaration = Declaration<WindowSettings>("window")
//       .group("Windows")
//       .add("lookback", &WindowSettings::lookback, {2, 100000}, "steps a forecast sees")
//       .add("period", &WindowSettings::period, {1, 100000}, "steps of the main cycle",
//            Unset{"found by autocorrelation"});
//     return declaration;
//   }
//
// Types of members: bool, std::int64_t, double, std::string, enums with kChoices, std::optional of
// these, and std::vector<std::string>. Everything else is made from the declaration: command-line
// flags, the config file (config_file.h) and the reference page (reference.h) walk the list of
// BoundSetting that bind() gives, and no list of settings is written a second time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast {

// What the reference page and --help say of a default that is no value.
struct Unset {
  std::string meaning;
};

struct SettingInfo {
  std::string section;  // of the config file: "data"
  std::string group;    // heading in --help and on the reference page
  std::string name;     // "time-column": the flag is --time-column, the config key time-column
  std::string meaning;
  std::string expected;      // "a whole number from 2 to 100000"
  std::string default_text;  // "96", or what happens while it is unset
  bool is_switch = false;    // a bool: the flag needs no value
  bool is_list = false;      // the flag may be given several times
  struct Option {
    std::string name;
    std::string meaning;
  };
  std::vector<Option> choices;  // of an enum or a list of fixed words, else empty
};

// One setting of one object: what it is, and how to read and change it there.
struct BoundSetting {
  const SettingInfo* info = nullptr;
  // `where` names the place a value came from, for messages: "--lookback" or "pulse.toml:3".
  // Throws Error(kUsage) that says what was expected and what came.
  std::function<void(std::span<const std::string> values, const std::string& where)> assign;
  // As `assign` takes it; empty for an optional that is unset.
  std::function<std::vector<std::string>()> values;
};

template <typename Member>
std::vector<SettingInfo::Option> choice_options(const Range<Member>& range) {
  std::vector<SettingInfo::Option> options;
  if constexpr (HasChoices<Member>) {
    for (const auto& choice : kChoices<Member>) {
      options.push_back({std::string(choice.name), std::string(choice.meaning)});
    }
  } else if constexpr (requires { range.words; }) {
    for (const std::string& word : range.words) options.push_back({word, ""});
  }
  return options;
}

// Of an optional: what it may hold.
template <typename Member>
std::vector<SettingInfo::Option> choice_options(const Range<std::optional<Member>>& range) {
  return choice_options(static_cast<const Range<Member>&>(range));
}

template <typename Settings>
class Declaration {
 public:
  explicit Declaration(std::string section) : section_(std::move(section)) {}

  // Settings added from here on stand under this heading.
  Declaration&& group(std::string title) && {
    group_ = std::move(title);
    return std::move(*this);
  }

  template <typename Member>
  Declaration&& add(std::string name, Member Settings::*member, std::string meaning,
                    Unset unset = {}) && {
    return std::move(*this).add(std::move(name), member, Range<Member>{}, std::move(meaning),
                                std::move(unset));
  }

  // clang-tidy 14 does not see that a template moves what it was given.
  // NOLINTBEGIN(performance-unnecessary-value-param)
  template <typename Member>
  Declaration&& add(std::string name, Member Settings::*member,
                    std::type_identity_t<Range<Member>> range, std::string meaning,
                    Unset unset = {}) && {
    // NOLINTEND(performance-unnecessary-value-param)
    const std::vector<std::string> initial = to_texts(Settings{}.*member);
    SettingInfo info{.section = section_,
                     .group = group_,
                     .name = std::move(name),
                     .meaning = std::move(meaning),
                     .expected = expected_text(range),
                     .default_text = initial.empty() ? std::move(unset.meaning) : joined(initial),
                     .is_switch = std::is_same_v<Member, bool>,
                     .is_list = std::is_same_v<Member, std::vector<std::string>>,
                     .choices = choice_options(range)};
    entries_.push_back(
        {std::move(info),
         [member, range](Settings& object, const SettingInfo& own,
                         std::span<const std::string> values, const std::string& where) {
           if (!from_texts(values, range, object.*member)) {
             refuse_value(own.name, own.expected, values, where);
           }
         },
         [member](const Settings& object) { return to_texts(object.*member); }});
    return std::move(*this);
  }

  // One a setting, in the order of declaration. `object` and this declaration must outlive it.
  std::vector<BoundSetting> bind(Settings& object) const {
    std::vector<BoundSetting> bound;
    bound.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      bound.push_back(
          {&entry.info,
           [&entry, &object](std::span<const std::string> values, const std::string& where) {
             entry.assign(object, entry.info, values, where);
           },
           [&entry, &object] { return entry.values(object); }});
    }
    return bound;
  }

  // What the settings are, without an object: for the reference page.
  std::vector<const SettingInfo*> infos() const {
    std::vector<const SettingInfo*> list;
    for (const Entry& entry : entries_) list.push_back(&entry.info);
    return list;
  }

 private:
  struct Entry {
    SettingInfo info;
    std::function<void(Settings&, const SettingInfo&, std::span<const std::string>,
                       const std::string&)>
        assign;
    std::function<std::vector<std::string>(const Settings&)> values;
  };

  std::string section_;
  std::string group_;
  std::vector<Entry> entries_;
};

// The setting of that name. Throws Error(kUsage) that names near misses.
const BoundSetting& find_setting(std::span<const BoundSetting> settings, std::string_view name,
                                 const std::string& where);

}  // namespace pulsecast
