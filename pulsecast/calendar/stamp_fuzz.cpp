// Lines of any bytes as a column of stamps. The first byte picks a zone and an order of days.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  if (size == 0) return 0;
  static const Zone zones[] = {Zone(), Zone::named("Europe/Berlin"),
                               Zone::named("Australia/Lord_Howe"), Zone::named("Pacific/Apia")};
  StampRules rules{zones[data[0] % 4], std::nullopt};
  if (data[0] & 4) rules.day_first = (data[0] & 8) != 0;
  const bool alternates = (data[0] & 16) != 0;

  std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  std::vector<Stamp> stamps;
  PackedRows<std::uint32_t> series;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const Stamp stamp = read_stamp(text.substr(0, end));
    const bool is_read =
        stamp.form != Stamp::Form::kEmpty && stamp.form != Stamp::Form::kUnreadable;
    if (is_read) {
      Stamp again = read_stamp(to_text(stamp));
      again.is_cut = stamp.is_cut;  // the digits that were cut are gone
      again.digits = stamp.digits;  // and so are leading zeros
      require(again == stamp);
    }
    if (alternates) series.push_back(static_cast<std::uint32_t>(stamps.size() % 2));
    stamps.push_back(stamp);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  PackedStamps packed;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    packed.push_back(stamps[i]);
    require(packed[i] == stamps[i]);
  }
  try {
    const StampColumn column =
        decide_stamps(packed, series, rules, [](std::size_t) { return std::string("row"); });
    std::vector<bool> is_faulty(stamps.size());
    for (const StampFault& fault : column.faults) is_faulty.at(fault.row) = true;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      if (is_faulty[i]) continue;
      // What was read comes back from its text, to the millisecond. (Up to 1972 some offsets had
      // seconds, which stamps do not write.)
      if (column.instants[i].milliseconds < 63'072'000'000) continue;
      const Stamp back = read_stamp(to_iso_text(column.instants[i], rules.zone));
      const StampColumn again =
          decide_stamps({&back, 1}, {}, [](std::size_t) { return std::string("row"); });
      require(again.faults.empty() && again.instants[0] == column.instants[i]);
    }
  } catch (const Error&) {
  }
  return 0;
}
