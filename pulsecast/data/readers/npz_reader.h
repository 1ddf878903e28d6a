// NumPy arrays, .npz and .npy, to a Table: rows x sensors [x features].
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/readers/npz_archive.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// Whether a file that starts with `head` is one of these.
bool is_array_file(std::string_view head);

// The array that settings.array names, else the only one or the one called 'data'; of three axes
// the feature settings.feature. Sensors are named by their place, counted from 1, and rows get
// their stamps from settings.start and .step. Throws Error(kData), and Error(kUsage) when the
// settings do not go with the file. Memory: the file as it is, and the Table.
Table read_arrays(std::unique_ptr<ByteSource> bytes, const std::string& source,
                  const DataSettings& settings);
// The same of an archive that is open already.
Table read_arrays(const NpzArchive& archive, const std::string& source,
                  const DataSettings& settings);

// The most that an archive may hold: it is kept in memory as it is.
inline constexpr std::size_t kMostArchiveBytes = std::size_t{1} << 33;

}  // namespace pulsecast
