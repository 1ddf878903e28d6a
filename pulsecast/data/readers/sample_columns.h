// The columns of a file's head: what share of a column's cells is of some kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/data/readers/dialect.h"
#include "pulsecast/data/readers/header.h"

namespace pulsecast {

class SampleColumns {
 public:
  // Both outlive it.
  SampleColumns(const Header& header, const Sample& sample) : header_(header), sample_(sample) {}

  std::size_t count() const { return header_.names.size(); }
  const std::string& name(std::size_t column) const { return header_.names[column]; }
  // Whether the header has no name for it.
  bool is_unnamed(std::size_t column) const {
    return header_.is_present && sample_.front()[column].empty();
  }
  bool has_header() const { return header_.is_present; }

  // The cells below the header, of the rows that have such a column.
  std::vector<std::string> cells(std::size_t column) const {
    std::vector<std::string> cells;
    for (std::size_t i = header_.is_present ? 1 : 0; i < sample_.size(); ++i) {
      if (column < sample_[i].size()) cells.push_back(sample_[i][column]);
    }
    return cells;
  }

  // Share of the cells that satisfy `test`; 0 where there are none.
  template <typename Test>
  double share(std::size_t column, Test test) const {
    std::size_t rows = 0;
    std::size_t good = 0;
    for (std::size_t i = header_.is_present ? 1 : 0; i < sample_.size(); ++i) {
      if (column >= sample_[i].size()) continue;
      ++rows;
      good += test(sample_[i][column]) ? 1 : 0;
    }
    return rows == 0 ? 0 : static_cast<double>(good) / static_cast<double>(rows);
  }

 private:
  const Header& header_;
  const Sample& sample_;
};

}  // namespace pulsecast
