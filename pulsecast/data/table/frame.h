// Rows in memory, as a caller has them: stamps, and columns or rows of float or double.
//
//   Frame frame("meters");
//   frame.stamps(milliseconds).column("load", load).column("price", price);
//   frame.stamps(milliseconds).rows({"load", "price"}, values);        // (n, 2), row after row
//   frame.stamps(milliseconds).ids(shops).column("sold", sold);        // long: a row a shop and
//   stamp
//
// A frame is views: the memory stays the caller's and must outlive the call that reads it. A value
// that is missing is NaN. Which column is what is said by settings, as for a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"

namespace pulsecast {

class Frame {
 public:
  // `source` names the rows in messages.
  explicit Frame(std::string source = "rows in memory") : source_(std::move(source)) {}

  // One per row: milliseconds of UTC since 1970, or text as a file would have it. Rows without
  // stamps need the settings `start` and `step`.
  Frame& stamps(std::span<const std::int64_t> milliseconds);
  Frame& stamps(std::span<const Instant> instants);
  Frame& stamps(std::span<const std::string> texts);
  // Of long rows, one per row: the series that it is of.
  Frame& ids(std::span<const std::string> ids);
  Frame& column(std::string name, std::span<const double> values);
  Frame& column(std::string name, std::span<const float> values);
  // values (n, names), row after row.
  Frame& rows(const std::vector<std::string>& names, std::span<const double> values);
  Frame& rows(const std::vector<std::string>& names, std::span<const float> values);

  struct Column {
    std::string name;
    const double* doubles = nullptr;  // one of the two
    const float* floats = nullptr;
    std::size_t count = 0;
    std::size_t stride = 1;  // from a value to the next

    double at(std::size_t row) const {
      return doubles != nullptr ? doubles[row * stride] : static_cast<double>(floats[row * stride]);
    }
  };
  struct Stamps {
    const std::int64_t* milliseconds = nullptr;  // one of the two, or neither
    const std::string* texts = nullptr;
    std::size_t count = 0;

    bool are_there() const { return milliseconds != nullptr || texts != nullptr; }
  };

  const std::string& source() const { return source_; }
  const Stamps& stamps() const { return stamps_; }
  std::span<const std::string> ids() const { return ids_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  template <typename Value>
  void add_rows(const std::vector<std::string>& names, std::span<const Value> values);

  std::string source_;
  Stamps stamps_;
  std::span<const std::string> ids_;
  std::vector<Column> columns_;
};

}  // namespace pulsecast
