#include "pulsecast/data/readers/npz_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/even_stamps.h"
#include "pulsecast/data/readers/npy_header.h"
#include "pulsecast/data/readers/npz_archive.h"

namespace pulsecast {
namespace {

constexpr std::uint64_t kMostSensors = 100'000;

template <typename T>
double as_double(const char* item, bool is_swapped) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), item, sizeof(T));
  if (is_swapped) std::reverse(raw.begin(), raw.end());
  return static_cast<double>(std::bit_cast<T>(raw));
}

using Decode = double (*)(const char* item, bool is_swapped);

Decode decoder(const NpyHeader& header) {
  switch (header.type) {
    case NpyHeader::Type::kFloat:
      return header.item_bytes == 4 ? as_double<float> : as_double<double>;
    case NpyHeader::Type::kSigned:
      return header.item_bytes == 1   ? as_double<std::int8_t>
             : header.item_bytes == 2 ? as_double<std::int16_t>
             : header.item_bytes == 4 ? as_double<std::int32_t>
                                      : as_double<std::int64_t>;
    case NpyHeader::Type::kUnsigned:
      return header.item_bytes == 1   ? as_double<std::uint8_t>
             : header.item_bytes == 2 ? as_double<std::uint16_t>
             : header.item_bytes == 4 ? as_double<std::uint32_t>
                                      : as_double<std::uint64_t>;
  }
  return as_double<double>;
}

struct Extents {
  std::uint64_t rows;
  std::uint64_t sensors;
  std::uint64_t features;
  std::uint64_t feature;  // the one to read
};

Extents extents_of(const NpyHeader& header, const DataSettings& settings,
                   const std::string& source) {
  const auto& shape = header.shape;
  const std::string shown = fmt::format("({})", fmt::join(shape, ", "));
  if (shape.empty() || shape.size() > 3) {
    throw_error(ErrorKind::kData, source,
                "the array has shape {}; expected rows x sensors, or rows x sensors x features",
                shown);
  }
  const auto feature = static_cast<std::uint64_t>(settings.feature);
  const Extents extents{shape[0], shape.size() > 1 ? shape[1] : 1, shape.size() > 2 ? shape[2] : 1,
                        shape.size() > 2 ? feature : 0};
  if (extents.rows == 0 || extents.sensors == 0 || extents.features == 0) {
    throw_error(ErrorKind::kData, source, "the array is empty: its shape is {}", shown);
  }
  if (extents.rows > std::numeric_limits<std::uint32_t>::max() || extents.sensors > kMostSensors ||
      extents.features > kMostSensors) {
    throw_error(ErrorKind::kData, source,
                "the array has shape {}; the most are 2^32 rows and {} sensors", shown,
                kMostSensors);
  }
  if (extents.feature >= extents.features) {
    throw_error(ErrorKind::kUsage, Place(source).about("feature"),
                "{} is asked for, but the array has shape {}: features 0 to {}", feature, shown,
                extents.features - 1);
  }
  return extents;
}

// Puts the elements into columns as they come, so that a header that claims more than the file
// holds costs nothing.
class ArrayReader {
 public:
  ArrayReader(ByteSource& bytes, const NpyHeader& header, const Extents& extents,
              const std::string& source)
      : bytes_(bytes),
        header_(header),
        extents_(extents),
        source_(source),
        decode_(decoder(header)),
        is_swapped_(header.is_big_endian != (std::endian::native == std::endian::big)),
        columns_(extents.sensors) {}

  std::vector<ColumnValues> read() && {
    if (header_.is_fortran_order) {
      // Rows run fastest, then sensors: a column after another, a feature after another.
      for (std::uint64_t f = 0; f <= extents_.feature; ++f) {
        for (auto& column : columns_) {
          take(extents_.rows, [&](std::uint64_t, double value) {
            if (f == extents_.feature) column.push_back(value);
          });
        }
      }
    } else {
      for (std::uint64_t row = 0; row < extents_.rows; ++row) {
        take(extents_.sensors * extents_.features, [&](std::uint64_t i, double value) {
          if (i % extents_.features == extents_.feature) {
            columns_[i / extents_.features].push_back(value);
          }
        });
      }
    }
    return std::move(columns_);
  }

 private:
  template <typename Use>
  void take(std::uint64_t items, Use use) {
    for (std::uint64_t i = 0; i < items; ++i) {
      if (at_ == buffered_) refill();
      use(i, decode_(buffer_.data() + at_, is_swapped_));
      at_ += header_.item_bytes;
    }
  }

  void refill() {
    buffered_ = bytes_.read(buffer_) / header_.item_bytes * header_.item_bytes;
    at_ = 0;
    if (buffered_ == 0) {
      throw make_error(ErrorKind::kData, source_,
                       "the array ends before its {} x {} x {} elements do: the file was cut short",
                       extents_.rows, extents_.sensors, extents_.features)
          .with(remedy::advice("copy it again"));
    }
  }

  ByteSource& bytes_;
  const NpyHeader& header_;
  Extents extents_;
  const std::string& source_;
  Decode decode_;
  bool is_swapped_;
  std::vector<ColumnValues> columns_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  std::size_t buffered_ = 0;
  std::size_t at_ = 0;
};

// Infinite elements are faults; NaN is how arrays say that there is no value.
void add_faults(Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ColumnValues& values = table.columns[c].values;
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (!std::isinf(values[row])) continue;
      table.faults.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(c),
                              CellFault::Kind::kInfinite, values[row] > 0 ? "inf" : "-inf"});
      values[row] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  std::sort(table.faults.begin(), table.faults.end(), [](const CellFault& a, const CellFault& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
}

Table read_array(ByteSource& bytes, const std::string& source, const DataSettings& settings) {
  std::string head(kNpyPreludeBytes, '\0');
  head.resize(bytes.read(head));
  const std::size_t header_bytes = npy_header_bytes(head, source);
  head.resize(header_bytes);
  const std::size_t rest = header_bytes - kNpyPreludeBytes;
  if (bytes.read(std::span(head).subspan(kNpyPreludeBytes)) != rest) {
    throw_error(ErrorKind::kData, source, "the array ends inside its header");
  }
  const NpyHeader header = read_npy_header(head, source);
  const Extents extents = extents_of(header, settings, source);

  // Values first: what a header claims is only worth planning for once it is there.
  std::vector<ColumnValues> values = ArrayReader(bytes, header, extents, source).read();
  Header names;
  for (std::uint64_t i = 0; i < extents.sensors; ++i)
    names.names.push_back(fmt::format("{}", i + 1));
  ColumnPlan plan = plan_columns(names, {}, settings, source);

  Table table;
  table.source = source;
  table.zone = settings.time_zone ? Zone::named(*settings.time_zone) : Zone();
  std::size_t column = 0;
  for (std::size_t i = 0; i < plan.uses.size(); ++i) {
    if (plan.uses[i] != ColumnPlan::Use::kValue) continue;
    table.columns.push_back(std::move(plan.columns[column++]));
    table.columns.back().values = std::move(values[i]);
  }
  table.stamps = even_stamps(extents.rows, settings, source);
  for (std::size_t row = 0; row < extents.rows; ++row) table.lines.push_back(row + 1);
  table.notes.push_back(fmt::format("NumPy array of shape ({})", fmt::join(header.shape, ", ")));
  if (extents.features > 1) {
    table.notes.push_back(fmt::format("feature {} of {}", extents.feature, extents.features));
  }
  add_faults(table);
  return table;
}

}  // namespace

bool is_array_file(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06") ||
         head.starts_with("\x93NUMPY");
}

Table read_arrays(std::unique_ptr<ByteSource> bytes, const std::string& source,
                  const DataSettings& settings) {
  // Without these nothing can be made of the file, however long it takes to read.
  even_stamps(0, settings, source);
  std::string head(2, '\0');
  head.resize(bytes->read(head));
  bytes = chained_source(head, std::move(bytes));
  if (head != "PK") return read_array(*bytes, source, settings);
  return read_arrays(NpzArchive(read_all(*bytes, kMostArchiveBytes, source), source), source,
                     settings);
}

Table read_arrays(const NpzArchive& archive, const std::string& source,
                  const DataSettings& settings) {
  even_stamps(0, settings, source);
  const std::string array = archive.choose(settings.array);
  const std::unique_ptr<ByteSource> entry = archive.open(array);
  Table table = read_array(*entry, fmt::format("{}[{}]", source, array), settings);
  table.source = source;
  return table;
}

}  // namespace pulsecast
