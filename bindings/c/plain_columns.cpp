#include "bindings/c/plain_columns.h"

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast::c {
namespace {

using Kind = TypedColumn::Kind;

template <typename Value>
class PlainNumbers : public TypedColumn {
 public:
  PlainNumbers(std::string name, const char* type, const Value* values, std::size_t count,
               std::size_t stride)
      : TypedColumn(std::move(name), type, Kind::kNumbers, count),
        values_(values),
        stride_(stride) {}

  void numbers(std::size_t first, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<double>(values_[(first + i) * stride_]);
    }
  }

 private:
  const Value* values_;
  std::size_t stride_;
};

class PlainStamps : public TypedColumn {
 public:
  PlainStamps(std::string name, const std::int64_t* milliseconds, std::size_t count,
              std::optional<Zone> zone)
      : TypedColumn(std::move(name), zone ? "milliseconds of UTC" : "milliseconds of a wall clock",
                    Kind::kStamps, count),
        milliseconds_(milliseconds),
        zone_(zone) {}

  std::size_t stamps(std::size_t first, std::span<std::int64_t> out) const override {
    std::copy_n(milliseconds_ + first, out.size(), out.begin());
    return 0;
  }
  std::optional<Zone> zone() const override { return zone_; }

 private:
  const std::int64_t* milliseconds_;
  std::optional<Zone> zone_;
};

class PlainLabels : public TypedColumn {
 public:
  PlainLabels(std::string name, const std::int32_t* codes, std::size_t count,
              std::vector<std::string> labels)
      : TypedColumn(std::move(name), "labels", Kind::kText, count),
        codes_(codes),
        labels_(std::move(labels)) {
    for (std::size_t row = 0; row < count; ++row) {
      if (codes[row] >= -1 && codes[row] < static_cast<std::int64_t>(labels_.size())) continue;
      throw_error(ErrorKind::kData, Place().in_column(this->name()),
                  "row {} has the label of number {}, and there are {}", row + 1, codes[row],
                  labels_.size());
    }
  }

  std::string cell(std::size_t row) const override {
    return codes_[row] < 0 ? "" : labels_[static_cast<std::size_t>(codes_[row])];
  }

  Labels labels() const override {
    // One code of ours for each of theirs, when its first row comes.
    constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> ours(labels_.size() + 1, kNone);
    Labels all;
    for (std::size_t row = 0; row < rows(); ++row) {
      const auto theirs = static_cast<std::size_t>(std::int64_t{codes_[row]} + 1);
      if (ours[theirs] == kNone) ours[theirs] = all.code_of(trimmed(cell(row)));
      all.add(ours[theirs]);
    }
    return all;
  }

 private:
  const std::int32_t* codes_;
  std::vector<std::string> labels_;
};

}  // namespace

std::unique_ptr<TypedColumn> plain_column(std::string name, const double* values, std::size_t count,
                                          std::size_t stride) {
  return std::make_unique<PlainNumbers<double>>(std::move(name), "float64", values, count, stride);
}

std::unique_ptr<TypedColumn> plain_column(std::string name, const float* values, std::size_t count,
                                          std::size_t stride) {
  return std::make_unique<PlainNumbers<float>>(std::move(name), "float32", values, count, stride);
}

std::unique_ptr<TypedColumn> plain_stamps(std::string name, const std::int64_t* milliseconds,
                                          std::size_t count, std::optional<Zone> zone) {
  return std::make_unique<PlainStamps>(std::move(name), milliseconds, count, zone);
}

std::unique_ptr<TypedColumn> plain_labels(std::string name, const std::int32_t* codes,
                                          std::size_t count, std::vector<std::string> labels) {
  return std::make_unique<PlainLabels>(std::move(name), codes, count, std::move(labels));
}

}  // namespace pulsecast::c
