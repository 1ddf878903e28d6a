// Fewer points that look the same: of each stretch of rows the lowest and the highest, in the order
// in which they came, so that no peak is lost.
//
// The newest rows are kept as they are, since it is there that people zoom in. Which rows stand for
// which place on the axis does not depend on the values: all channels of a file share one axis.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast::report {

// Rows cut into stretches. A stretch of one or two rows is kept as it is.
class Thinning {
 public:
  // At most `most` points (4 or more) of `rows`; at least the newest `whole` rows as they are,
  // where that leaves room for the others.
  Thinning(std::size_t rows, std::size_t most, std::size_t whole);

  // Row whose place on the axis each point has.
  const std::vector<std::size_t>& rows() const { return rows_; }
  // values (rows) -> one a point. NaN where all of its stretch are.
  std::vector<double> thin(std::span<const double> values) const;

 private:
  std::size_t thinned_;  // rows that are, the oldest
  std::size_t stretch_;  // rows that two points stand for
  std::vector<std::size_t> rows_;
};

}  // namespace pulsecast::report
