// A spreadsheet (.xlsx): an archive of XML files, one a sheet, with its words and formats in
// others.
//
// A sheet becomes the text that saving it as CSV would give, but with values as they are kept, not
// as they are shown: all digits of a number, dates year first. A row is a line, so that messages
// name the rows of the sheet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/readers/npz_archive.h"
#include "pulsecast/data/readers/workbook/serial_stamp.h"

namespace pulsecast {

// Throws Error(kData) for an office's file that is none which is read.
bool is_workbook(const NpzArchive& archive, const std::string& source);

class Workbook {
 public:
  // The archive must outlive it. Throws Error(kData) where it holds no workbook that is read.
  Workbook(const NpzArchive& archive, std::string source);

  // The sheet of that name; else the only one that can be seen and has cells. Throws Error(kUsage)
  // for a name that is not there, Error(kData) where there is none or no choice.
  struct Text {
    std::string sheet;
    std::string lines;
  };
  Text read(const std::optional<std::string>& name) const;

  struct Sheet {
    std::string name;
    std::string entry;
    bool is_hidden = false;
  };

 private:
  std::vector<StampFormat> read_formats() const;

  const NpzArchive& archive_;
  std::string source_;
  std::vector<Sheet> sheets_;
  bool counts_from_1904_ = false;
};

}  // namespace pulsecast
