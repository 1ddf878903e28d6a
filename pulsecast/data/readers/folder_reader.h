// A folder of files as one long table: each file is a series, named by its stem.
#pragma once

#include <functional>
#include <string>

#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// `read` reads one file. Files are taken in order of their names; hidden ones are left out. Throws
// Error(kData) for a folder without files, and where a file has other columns than the first;
// Error(kInputOutput) where the folder cannot be listed.
Table read_folder(const std::string& path, const DataSettings& settings,
                  const std::function<Table(const std::string&, const DataSettings&)>& read);

}  // namespace pulsecast
