// The gaps of a whole series: found per channel, then filled, left or refused as settings say.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/data/series/series.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct RowSpan {
  std::size_t begin;
  std::size_t end;
};

// `ranges` has one span a channel, outside of which nothing is missing. After `end_of_past` only
// known channels should have values. Throws Error(kData) under Fill::kRefuse, naming the first gap;
// what was done is added to `repairs`.
void fill_channels(Series& series, const std::vector<RowSpan>& ranges, Instant end_of_past,
                   const DataSettings& settings, std::vector<std::string>& repairs);

}  // namespace pulsecast
