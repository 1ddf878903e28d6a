// For tests: workbooks made in memory, with the parts that spreadsheets write.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "pulsecast/testing/zipped.h"

namespace pulsecast::testing {

// `cells` is XML of rows: <row r="1"><c r="A1" t="s"><v>0</v></c></row>
struct MadeSheet {
  std::string name;
  std::string cells;
  std::string state = "visible";
};

// What cells may name: words 0 .. of the workbook, and formats: 0 a number, 1 a date of every
// workbook, 2 a date and time of every workbook, 3 onwards `formats`.
inline std::string made_workbook(const std::vector<MadeSheet>& sheets,
                                 const std::vector<std::string>& words = {},
                                 const std::vector<std::string>& formats = {},
                                 bool counts_from_1904 = false) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  std::map<std::string, std::string> files = {{"[Content_Types].xml", head + "<Types/>"}};
  std::string index =
      head + "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument\">" +
      fmt::format("<workbookPr date1904=\"{}\"/><sheets>", counts_from_1904 ? 1 : 0);
  std::string relations = head + "<Relationships>";
  for (std::size_t i = 1; i <= sheets.size(); ++i) {
    const MadeSheet& sheet = sheets[i - 1];
    index += fmt::format("<sheet name=\"{}\" sheetId=\"{}\" state=\"{}\" r:id=\"rId{}\"/>",
                         sheet.name, i, sheet.state, i);
    relations +=
        fmt::format("<Relationship Id=\"rId{}\" Target=\"worksheets/sheet{}.xml\"/>", i, i);
    files[fmt::format("xl/worksheets/sheet{}.xml", i)] =
        head + "<worksheet><sheetData>" + sheet.cells + "</sheetData></worksheet>";
  }
  files["xl/workbook.xml"] = index + "</sheets></workbook>";
  files["xl/_rels/workbook.xml.rels"] = relations + "</Relationships>";
  std::string strings = head + "<sst>";
  for (const std::string& word : words) strings += "<si><t>" + word + "</t></si>";
  files["xl/sharedStrings.xml"] = strings + "</sst>";
  std::string numbers = head + "<styleSheet><numFmts>";
  std::string used = "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"22\"/>";
  for (std::size_t i = 0; i < formats.size(); ++i) {
    numbers += fmt::format("<numFmt numFmtId=\"{}\" formatCode=\"{}\"/>", 164 + i, formats[i]);
    used += fmt::format("<xf numFmtId=\"{}\"/>", 164 + i);
  }
  files["xl/styles.xml"] = numbers + "</numFmts>" + used + "</cellXfs></styleSheet>";
  return zipped(files, true);
}

}  // namespace pulsecast::testing
