// How a door of the library says what an error and its remedies hold as data.
//
// These are the plain words, which know of no door: what() of an error speaks them. The doors'
// own (settings/door_words.h) say how a setting is written there and how an action is asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pulsecast/base/error.h"
#include "pulsecast/base/remedy.h"

namespace pulsecast {

class Words {
 public:
  Words() = default;
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  virtual ~Words() = default;

  // "fill".
  virtual std::string setting(std::string_view name) const;
  // The same, where the user is to choose the value.
  virtual std::string open_setting(std::string_view name) const;
  // "fill = linear".
  virtual std::string assignment(std::string_view name, std::string_view value) const;
  // Between assignments that belong together.
  virtual std::string_view between() const;
  // An instruction: "resume the run".
  virtual std::string action(RemedyAction action) const;
  // A sentence after remedies that set something: where settings are written. Empty: none.
  virtual std::string where_settings_go() const;
};

// "load.csv:7, column 'load'", "load.csv: time-column", "start".
std::string to_text(const Place& place, const Words& words);

// What to do, without the effect: "duplicates = first", "a smaller lookback". Empty for advice.
std::string means_text(const Remedy& remedy, const Words& words);

// The means of each: "duplicates = first or duplicates = mean".
std::string means_text(std::span<const Remedy> remedies, const Words& words);

// "duplicates = first keeps the first of such rows".
std::string to_text(const Remedy& remedy, const Words& words);

// A sentence without its full stop. Neighbours of the same effect are said together.
std::string to_text(std::span<const Remedy> remedies, const Words& words);

// Place, message and remedies in a line.
std::string to_text(const Error& error, const Words& words);

}  // namespace pulsecast
