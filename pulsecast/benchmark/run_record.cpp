#include "pulsecast/benchmark/run_record.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "pulsecast/base/crc32c.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::benchmark {
namespace {

using Json = nlohmann::ordered_json;

// Format 1 had no checksum.
constexpr int kFormat = 2;
constexpr int kFirstFormat = 1;

// The last entry of a record, of all that stands before it.
std::string checksum_entry(std::string_view before) {
  return fmt::format(",\"crc32c\":\"{:08x}\"}}", crc32c(std::as_bytes(std::span(before)), 0));
}

// Whether the line ends with the checksum that its beginning has.
bool has_right_checksum(std::string_view line) {
  const std::size_t size = checksum_entry("").size();
  if (line.size() < size) return false;
  const std::string_view before = line.substr(0, line.size() - size);
  return line.substr(before.size()) == checksum_entry(before);
}

Json rows_json(RowRange rows) { return Json::array({rows.begin, rows.end}); }

RowRange rows_of(const Json& json) {
  return {json.at(0).get<std::size_t>(), json.at(1).get<std::size_t>()};
}

// JSON has no word for what is not finite, and null stands for it.
double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> numbers_of(const Json& json) {
  std::vector<double> numbers;
  for (const Json& each : json) numbers.push_back(number_of(each));
  return numbers;
}

RunRecord record_of(const Json& json) {
  RunRecord record;
  record.key = {json.at("model"), json.at("dataset"), json.at("horizon"), json.at("seed")};
  record.is_outside = json.at("kind") == "forecasts";
  record.protocol = json.at("protocol");
  for (const auto& [name, value] : json.at("settings").items()) {
    record.settings.emplace_back(name, value);
  }
  record.chosen = json.at("chosen");
  const Json& data = json.at("data");
  record.file = data.at("file");
  record.data_checksum = data.at("sha256");
  record.forecast_checksum = data.value("forecasts_sha256", "");
  record.channels = data.at("channels");
  record.version = json.at("version");
  record.cpu = json.at("cpu");
  record.command = json.at("command");
  const Json& split = json.at("split");
  record.split = {rows_of(split.at("train")), rows_of(split.at("validation")),
                  rows_of(split.at("test"))};
  const Json& windows = json.at("windows");
  record.training_windows = windows.at("training");
  record.validation_windows = windows.at("validation");
  record.test_windows = windows.at("test");
  record.training_loss = numbers_of(json.at("training_loss"));
  record.validation_mse = numbers_of(json.at("validation_mse"));
  record.best_epoch = json.at("best_epoch");
  record.seconds = json.at("seconds");
  record.weights = json.at("weights");
  record.flops = json.at("flops");
  const Json& test = json.at("test");
  record.test_scorings = test.at("times_scored");
  record.mse = number_of(test.at("mse"));
  record.mae = number_of(test.at("mae"));
  // Records of before MASE was kept have none.
  for (const Json& each : test.value("mase", Json::array())) {
    record.mase.push_back(
        {each.at("lag"), number_of(each.at("paper")), number_of(each.at("usual"))});
  }
  for (const Json& baseline : json.at("baselines")) {
    record.baselines.push_back(
        {baseline.at("name"), number_of(baseline.at("mse")), number_of(baseline.at("mae"))});
  }
  record.errors = json.at("errors");
  return record;
}

}  // namespace

std::string to_line(const RunRecord& record) {
  Json settings = Json::object();
  for (const auto& [name, value] : record.settings) settings[name] = value;
  Json baselines = Json::array();
  for (const BaselineScore& each : record.baselines) {
    baselines.push_back({{"name", each.name}, {"mse", each.mse}, {"mae", each.mae}});
  }
  Json mase = Json::array();
  for (const LagMase& each : record.mase) {
    mase.push_back({{"lag", each.lag}, {"paper", each.paper}, {"usual", each.usual}});
  }
  Json data = {
      {"file", record.file}, {"sha256", record.data_checksum}, {"channels", record.channels}};
  if (record.is_outside) data["forecasts_sha256"] = record.forecast_checksum;
  const Json json = {{"format", kFormat},
                     {"kind", record.is_outside ? "forecasts" : "trained"},
                     {"model", record.key.model},
                     {"dataset", record.key.dataset},
                     {"horizon", record.key.horizon},
                     {"seed", record.key.seed},
                     {"test",
                      {{"mse", record.mse},
                       {"mae", record.mae},
                       {"mase", mase},
                       {"times_scored", record.test_scorings}}},
                     {"baselines", baselines},
                     {"protocol", record.protocol},
                     {"split",
                      {{"train", rows_json(record.split.train)},
                       {"validation", rows_json(record.split.validation)},
                       {"test", rows_json(record.split.test)}}},
                     {"windows",
                      {{"training", record.training_windows},
                       {"validation", record.validation_windows},
                       {"test", record.test_windows}}},
                     {"training_loss", record.training_loss},
                     {"validation_mse", record.validation_mse},
                     {"best_epoch", record.best_epoch},
                     {"seconds", record.seconds},
                     {"weights", record.weights},
                     {"flops", record.flops},
                     {"data", data},
                     {"errors", record.errors},
                     {"version", record.version},
                     {"cpu", record.cpu},
                     {"command", record.command},
                     {"settings", settings},
                     {"chosen", record.chosen}};
  // Names of columns and files may hold any bytes.
  std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();  // the closing brace, which the entry brings
  return line + checksum_entry(line);
}

bool is_whole(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  // Others than ours have no checksum, or one that a later version knows.
  const bool is_ours = json.is_object() && json.value("format", Json()) == kFormat;
  return !json.is_discarded() && (!is_ours || has_right_checksum(line));
}

RunRecord parse_record(std::string_view line, const std::string& where) {
  try {
    const Json json = Json::parse(line);
    const Json& format = json.at("format");
    if (format != kFirstFormat && format != kFormat) {
      throw_error(ErrorKind::kData, where,
                  "the record has format {}, and this version reads {} and {}: report it with the "
                  "version that wrote it",
                  format.dump(), kFirstFormat, kFormat);
    }
    if (format == kFormat && !has_right_checksum(line)) {
      throw make_error(ErrorKind::kData, where,
                       "the record is damaged: its checksum is not that of the line")
          .with(remedy::advice("delete the line, and its run is done again"));
    }
    return record_of(json);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kData, fmt::format("the line is no record of a run: {}", error.what()),
                where);
  }
}

}  // namespace pulsecast::benchmark
