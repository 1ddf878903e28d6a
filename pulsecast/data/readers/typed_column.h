// A column in memory whose values have a type: of a data frame, of Arrow data, of plain pointers.
//
// Whoever has the memory derives from this, and columns_reader.h makes a Table of such columns, by
// the rules of a file with these names in its header. Numbers and stamps are asked for in runs, so
// that they may be converted on their way into the table, which is their one copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/readers/labels.h"

namespace pulsecast {

class TypedColumn {
 public:
  enum class Kind {
    kNumbers,
    kStamps,
    kText,
    kOther,  // nothing that a table can hold; refused where it would be read
  };
  // In place of a stamp that is missing.
  static constexpr std::int64_t kNoStamp = std::numeric_limits<std::int64_t>::min();

  TypedColumn(std::string name, std::string type, Kind kind, std::size_t rows)
      : name_(std::move(name)), type_(std::move(type)), kind_(kind), rows_(rows) {}
  virtual ~TypedColumn() = default;
  TypedColumn(const TypedColumn&) = delete;
  TypedColumn& operator=(const TypedColumn&) = delete;

  const std::string& name() const { return name_; }
  const std::string& type() const { return type_; }  // "timestamp[us]", for messages
  Kind kind() const { return kind_; }
  std::size_t rows() const { return rows_; }

  // Of rows from `first` on; NaN where there is none. Of kNumbers.
  virtual void numbers(std::size_t first, std::span<double> out) const;
  // Milliseconds since 1970; kNoStamp where there is none. Gives the number of stamps with digits
  // finer than that, which are cut. Of kStamps.
  virtual std::size_t stamps(std::size_t first, std::span<std::int64_t> out) const;
  // Of stamps that are instants, the zone that they carry; nothing where they are what a wall clock
  // showed.
  virtual std::optional<Zone> zone() const;
  // What a file would have in the row; empty where there is no value.
  virtual std::string cell(std::size_t row) const;
  // The same of every row.
  virtual Labels labels() const;

 private:
  std::string name_;
  std::string type_;
  Kind kind_;
  std::size_t rows_;
};

}  // namespace pulsecast
