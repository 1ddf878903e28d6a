#include "pulsecast/data/readers/workbook/workbook.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/workbook/shared_words.h"
#include "pulsecast/data/readers/workbook/sheet_cells.h"
#include "pulsecast/data/readers/workbook/xml_events.h"

namespace pulsecast {
namespace {

constexpr const char* kIndex = "xl/workbook.xml";
constexpr const char* kWords = "xl/sharedStrings.xml";

// Sheets, relations and formats of a workbook: a spreadsheet has 65,490 formats at most.
constexpr std::size_t kMostListed = 65'536;

void require_listable(std::size_t count, const char* what, const std::string& source) {
  if (count <= kMostListed) return;
  throw_error(ErrorKind::kData, source, "the workbook has more than 65,536 {}", what);
}

class IndexEvents : public XmlEvents {
 public:
  explicit IndexEvents(const std::string& source) : source_(source) {}

  void begin(std::string_view element, const XmlAttributes& attributes) override {
    if (element == "sheet") {
      const std::string_view state = attributes["state"];
      sheets.push_back({std::string(attributes["name"]), std::string(attributes["id"]),
                        state == "hidden" || state == "veryHidden"});
      require_listable(sheets.size(), "sheets", source_);
    } else if (element == "workbookPr") {
      const std::string_view is_1904 = attributes["date1904"];
      counts_from_1904 = is_1904 == "1" || is_1904 == "true";
    }
  }
  void end(std::string_view /*element*/) override {}
  void text(std::string_view /*text*/) override {}

  std::vector<Workbook::Sheet> sheets;  // with the names of their relations as entries
  bool counts_from_1904 = false;

 private:
  const std::string& source_;
};

// Which file is meant by which name of a relation.
class RelationEvents : public XmlEvents {
 public:
  explicit RelationEvents(const std::string& source) : source_(source) {}

  void begin(std::string_view element, const XmlAttributes& attributes) override {
    if (element != "Relationship") return;
    const std::string target(attributes["Target"]);
    entries[std::string(attributes["Id"])] =
        target.starts_with('/') ? target.substr(1) : "xl/" + target;
    require_listable(entries.size(), "relations", source_);
  }
  void end(std::string_view /*element*/) override {}
  void text(std::string_view /*text*/) override {}

  std::map<std::string, std::string> entries;

 private:
  const std::string& source_;
};

// Cells have numbers of what is listed under cellXfs, which have numbers of formats.
class FormatEvents : public XmlEvents {
 public:
  explicit FormatEvents(const std::string& source) : source_(source) {}

  void begin(std::string_view element, const XmlAttributes& attributes) override {
    if (element == "numFmt") {
      own_[to_int(attributes["numFmtId"])] = stamp_format(attributes["formatCode"]);
      require_listable(own_.size(), "formats", source_);
    } else if (element == "cellXfs") {
      is_list_ = true;
    } else if (element == "xf" && is_list_) {
      const int number = to_int(attributes["numFmtId"]);
      const auto found = own_.find(number);
      formats.push_back(found == own_.end() ? built_in_stamp_format(number) : found->second);
      require_listable(formats.size(), "formats", source_);
    }
  }
  void end(std::string_view element) override {
    if (element == "cellXfs") is_list_ = false;
  }
  void text(std::string_view /*text*/) override {}

  std::vector<StampFormat> formats;

 private:
  static int to_int(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }

  const std::string& source_;
  std::map<int, StampFormat> own_;
  bool is_list_ = false;
};

std::vector<std::string> names_of(const std::vector<Workbook::Sheet>& sheets) {
  std::vector<std::string> names;
  names.reserve(sheets.size());
  for (const Workbook::Sheet& sheet : sheets) names.push_back(sheet.name);
  return names;
}

}  // namespace

bool is_workbook(const NpzArchive& archive, const std::string& source) {
  if (archive.holds(kIndex)) return true;
  const bool is_binary = archive.holds("xl/workbook.bin");
  if (is_binary || archive.holds("[Content_Types].xml") || archive.holds("META-INF/manifest.xml")) {
    throw make_error(ErrorKind::kData, source, "this is an office's file that is not read{}",
                     is_binary                      ? " (.xlsb)"
                     : archive.holds("content.xml") ? " (.ods or .odt)"
                                                    : "")
        .with(remedy::advice("save the sheet as CSV or .xlsx first"));
  }
  return false;
}

Workbook::Workbook(const NpzArchive& archive, std::string source)
    : archive_(archive), source_(std::move(source)) {
  IndexEvents index(source_);
  read_xml(*archive.open_entry(kIndex), source_, index);
  RelationEvents relations(source_);
  read_xml(*archive.open_entry("xl/_rels/workbook.xml.rels"), source_, relations);
  counts_from_1904_ = index.counts_from_1904;
  for (Sheet& sheet : index.sheets) {
    const auto found = relations.entries.find(sheet.entry);
    // Charts and macros are sheets too, without cells.
    if (found == relations.entries.end() || !found->second.starts_with("xl/worksheets/")) continue;
    sheet.entry = found->second;
    sheets_.push_back(std::move(sheet));
  }
}

std::vector<StampFormat> Workbook::read_formats() const {
  if (!archive_.holds("xl/styles.xml")) return {};
  FormatEvents events(source_);
  read_xml(*archive_.open_entry("xl/styles.xml"), source_, events);
  return std::move(events.formats);
}

Workbook::Text Workbook::read(const std::optional<std::string>& name) const {
  const std::vector<std::string> all = names_of(sheets_);
  if (name && std::ranges::count(all, *name) == 0) {
    throw_error(ErrorKind::kUsage, Place(source_).about("array"),
                "there is no sheet '{}'; there are: {}.{}", *name, fmt::join(all, ", "),
                did_you_mean(*name, all));
  }
  const std::vector<std::string> words = archive_.holds(kWords)
                                             ? read_words(*archive_.open_entry(kWords), source_)
                                             : std::vector<std::string>();
  const std::vector<StampFormat> formats = read_formats();
  const SheetContext context{words, formats, counts_from_1904_};
  std::vector<std::string> full;
  Text text;
  for (const Sheet& sheet : sheets_) {
    if (name ? sheet.name != *name : sheet.is_hidden) continue;
    const SheetText cells = read_cells(*archive_.open_entry(sheet.entry), source_, context);
    if (cells.empty()) continue;
    full.push_back(sheet.name);
    if (full.size() == 1) text = {sheet.name, cells.lines()};
  }
  if (full.empty()) throw_error(ErrorKind::kData, source_, "the workbook has no cells");
  if (full.size() > 1) {
    throw make_error(ErrorKind::kData, source_, "there are several sheets: {}",
                     fmt::join(full, ", "))
        .with(remedy::example("array", full.front(), "names one"));
  }
  return text;
}

}  // namespace pulsecast
