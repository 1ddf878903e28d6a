// Cells of text, each distinct text kept once: names of series, or what else a column says in
// words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pulsecast/base/packed_integers.h"

namespace pulsecast {

class Labels {
 public:
  // The code of a text, a new one where it has none yet. Codes count from 0 in order of appearance.
  std::uint32_t code_of(std::string_view text);
  // The code of the next row.
  void add(std::uint32_t code) { codes_.push_back(code); }

  const std::vector<std::string>& names() const { return names_; }   // by code
  const PackedRows<std::uint32_t>& codes() const { return codes_; }  // one per row

  // Rows of `more` after those that are here.
  void append(const Labels& more);
  // Keeps the first `rows` of them.
  void cut(std::size_t rows) { codes_.truncate(rows); }
  void clear();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<std::string> names_;
  PackedRows<std::uint32_t> codes_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> index_;
  std::uint32_t last_ = 0;  // rows with one text mostly stand together
};

// A column of labels with its name in the file.
struct LabelColumn {
  std::string name;
  Labels labels;
  bool is_static = false;  // it says one thing of each series, and names none
};

// What several columns say together, row by row, with a slash between the texts.
Labels joined_labels(const std::vector<const Labels*>& parts);

}  // namespace pulsecast
