#include "pulsecast/data/readers/workbook/sheet_cells.h"

#include <fast_float/fast_float.h>

#include <charconv>
#include <utility>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/workbook/xml_events.h"

namespace pulsecast {
namespace {

// Ten times the bytes of 32,767 characters, which a spreadsheet has at most in a cell.
constexpr std::size_t kMostCellBytes = std::size_t{1} << 20;

class CellEvents : public XmlEvents {
 public:
  CellEvents(const std::string& source, const SheetContext& context)
      : source_(source), context_(context), text_(source) {}

  void begin(std::string_view element, const XmlAttributes& attributes) override {
    if (element == "row") {
      // Both kinds of places may be left out: the next one is meant.
      row_ = attributes["r"].empty() ? row_ + 1 : number(attributes["r"]);
      column_ = 0;
    } else if (element == "c") {
      take_place(attributes["r"]);
      kind_ = attributes["t"];
      format_ = attributes["s"].empty() ? 0 : number(attributes["s"]);
      value_.clear();
    } else if (element == "v" || element == "t") {
      is_value_ = !is_phonetic_;
    } else if (element == "rPh") {
      is_phonetic_ = true;
    }
  }

  void end(std::string_view element) override {
    if (element == "v" || element == "t") {
      is_value_ = false;
    } else if (element == "rPh") {
      is_phonetic_ = false;
    } else if (element == "c" && !value_.empty()) {
      if (row_ == 0 || column_ == 0) throw_error(ErrorKind::kData, source_, "a cell has no place");
      text_.add(row_ - 1, column_ - 1, shown());
    }
  }

  void text(std::string_view text) override {
    if (!is_value_) return;
    value_ += text;
    if (value_.size() > kMostCellBytes) {
      throw_error(ErrorKind::kData, source_, "a cell has more than 1 MiB of text");
    }
  }

  SheetText take() { return std::move(text_); }

 private:
  std::size_t number(std::string_view digits) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      throw_error(ErrorKind::kData, source_, "'{}' is no number of a row, word or format", digits);
    }
    return value;
  }

  // "AB12"
  void take_place(std::string_view place) {
    if (place.empty()) {
      ++column_;
      return;
    }
    column_ = 0;
    std::size_t at = 0;
    for (; at < place.size() && place[at] >= 'A' && place[at] <= 'Z'; ++at) {
      column_ = std::min(column_ * 26 + static_cast<std::size_t>(place[at] - 'A' + 1),
                         kMostSheetColumns + 1);
    }
    row_ = number(place.substr(at));
  }

  std::string shown() const {
    if (kind_ == "s") {
      const std::size_t word = number(value_);
      if (word < context_.words.size()) return context_.words[word];
      throw_error(ErrorKind::kData, source_, "there is no word {} in the workbook", word);
    }
    if (kind_ == "b") return value_ == "1" ? "TRUE" : "FALSE";
    const bool is_number = kind_.empty() || kind_ == "n";
    if (is_number && format_ < context_.formats.size() && context_.formats[format_].is_stamp()) {
      double days = 0;
      const char* end = value_.data() + value_.size();
      if (fast_float::from_chars(value_.data(), end, days).ptr == end) {
        return serial_stamp(days, context_.formats[format_], context_.counts_from_1904)
            .value_or(value_);
      }
    }
    return value_;
  }

  const std::string& source_;
  const SheetContext& context_;
  SheetText text_;
  std::size_t row_ = 0;     // counted from 1
  std::size_t column_ = 0;  // counted from 1
  std::string kind_;
  std::size_t format_ = 0;
  std::string value_;
  bool is_value_ = false;
  bool is_phonetic_ = false;
};

}  // namespace

SheetText read_cells(ByteSource& bytes, const std::string& source, const SheetContext& context) {
  CellEvents events(source, context);
  read_xml(bytes, source, events);
  return events.take();
}

}  // namespace pulsecast
