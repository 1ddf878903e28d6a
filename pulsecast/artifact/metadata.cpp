#include "pulsecast/artifact/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/settings/model_declaration.h"

namespace pulsecast::artifact {
namespace {

using Json = nlohmann::ordered_json;  // what is written keeps its order
using Parsed = nlohmann::json;        // what is read is found by name without going through all

// Sizes beyond this are no model that we could have written.
constexpr std::uint64_t kMostSize = 1'000'000;

// Reads fields and refuses what is not there or not of its type, naming the path to it.
class Reader {
 public:
  Reader(const Parsed& json, std::string path, const std::string& file)
      : json_(json), path_(std::move(path)), file_(file) {}

  [[noreturn]] void refuse(const std::string& field, const char* expected) const {
    throw_error(ErrorKind::kModelFile, file_, "its metadata field '{}{}' should be {}", path_,
                field, expected);
  }

  Reader in(const std::string& field) const {
    const Parsed& child = at(field, "an object");
    if (!child.is_object()) refuse(field, "an object");
    return {child, path_ + field + ".", file_};
  }

  const Parsed& list(const std::string& field) const {
    const Parsed& child = at(field, "a list");
    if (!child.is_array()) refuse(field, "a list");
    return child;
  }

  Reader item(const Parsed& value, const std::string& field) const {
    if (!value.is_object()) refuse(field, "a list of objects");
    return {value, path_ + field + "[].", file_};
  }

  std::string text(const std::string& field) const {
    const Parsed& child = at(field, "text");
    if (!child.is_string()) refuse(field, "text");
    return child.get<std::string>();
  }

  bool flag(const std::string& field) const {
    const Parsed& child = at(field, "true or false");
    if (!child.is_boolean()) refuse(field, "true or false");
    return child.get<bool>();
  }

  std::size_t size(const std::string& field, std::uint64_t most = kMostSize) const {
    const Parsed& child = at(field, "a whole number");
    if (!child.is_number_unsigned() || child.get<std::uint64_t>() > most) {
      refuse(field, "a whole number that is not absurdly large");
    }
    return child.get<std::size_t>();
  }

  std::int64_t integer(const std::string& field) const {
    const Parsed& child = at(field, "a whole number");
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (!child.is_number_integer() ||
        (child.is_number_unsigned() && child.get<std::uint64_t>() > kMost)) {
      refuse(field, "a whole number of 64 bits");
    }
    return child.get<std::int64_t>();
  }

  // Numbers that JSON cannot say are null.
  double number(const std::string& field) const {
    const Parsed& child = at(field, "a number");
    if (child.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!child.is_number()) refuse(field, "a number");
    return child.get<double>();
  }

  template <typename Enum>
  Enum choice(const std::string& field) const {
    const auto value = choice_of<Enum>(text(field));
    if (!value) refuse(field, "one of the words that this version knows");
    return *value;
  }

  bool has(const std::string& field) const { return json_.contains(field); }

  const Parsed& at(const std::string& field, const char* expected) const {
    const auto found = json_.find(field);
    if (found == json_.end()) refuse(field, expected);
    return *found;
  }

  const Parsed& json() const { return json_; }
  const std::string& file() const { return file_; }

 private:
  const Parsed& json_;
  std::string path_;
  const std::string& file_;
};

// Refused at the first bracket that lies deeper than any of ours: a tree of brackets alone would
// take fifty times their memory.
Parsed parse(const std::string& text, const std::string& where) {
  constexpr int kDeepest = 8;
  const auto refuse_depth = [&](int depth, Parsed::parse_event_t, Parsed&) {
    if (depth > kDeepest) {
      throw_error(ErrorKind::kModelFile, where,
                  "its metadata lies more than {} levels deep, which no model's does", kDeepest);
    }
    return true;
  };
  Parsed json = Parsed::parse(text, refuse_depth, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) {
    throw_error(ErrorKind::kModelFile, where, "its metadata is not a JSON object");
  }
  return json;
}

Json range_json(const StampRange& range) {
  return {{"begin", range.begin},
          {"rows", range.rows},
          {"first", range.first.milliseconds},
          {"last", range.last.milliseconds}};
}

Instant instant_of(const Reader& reader, const std::string& field) {
  const Instant instant{reader.integer(field)};
  if (instant < kEarliestInstant || instant > kLatestInstant) {
    reader.refuse(field, "milliseconds of a time that a calendar has");
  }
  return instant;
}

StampRange range_of(const Reader& reader) {
  constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
  return {reader.size("begin", kMostRows), reader.size("rows", kMostRows),
          instant_of(reader, "first"), instant_of(reader, "last")};
}

// Came within a version: a model that has it as by default is written, and read, as before it came.
constexpr std::array kLaterFields = std::to_array<std::string_view>(
    {"companion", "kernel", "calendar_shrink", "frequency_share", "graph_channels", "skip_channels",
     "periods_of", "routers", "cycle", "past"});

// A shape, or the sizes in it, with the fields that visit_fields() names.
template <typename Fields>
Json every_field_json(const Fields& fields);

template <typename Fields>
Json fields_json(const Fields& fields) {
  Json json = every_field_json(fields);
  const Json usual = every_field_json(Fields{});
  for (const std::string_view name : kLaterFields) {
    const std::string key(name);
    if (json.contains(key) && json[key] == usual[key]) json.erase(key);
  }
  return json;
}

template <typename Fields>
Json every_field_json(const Fields& fields) {
  Json json = Json::object();
  visit_fields(fields, [&](const char* name, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, model::BackboneSizes>) {
      json[name] = fields_json(value);
    } else if constexpr (std::is_enum_v<Value>) {
      json[name] = choice_name(value);
    } else {
      json[name] = value;
    }
  });
  return json;
}

// Version 1 knew one backbone, the mlp inside PULSE: what it did not write is as it is by default.
bool is_in_version(std::string_view field, std::size_t version) {
  return version > 1 || (field != "alone" && field != "backbone_sizes");
}

template <typename Fields>
Fields fields_of(const Reader& reader, std::size_t version) {
  Fields fields;
  visit_fields(fields, [&](const char* name, auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if (!is_in_version(name, version)) return;
    if (std::ranges::find(kLaterFields, std::string_view(name)) != kLaterFields.end() &&
        !reader.has(name))
      return;
    if constexpr (std::is_same_v<Value, model::BackboneSizes>) {
      value = fields_of<model::BackboneSizes>(reader.in(name), version);
    } else if constexpr (std::is_enum_v<Value>) {
      value = reader.choice<Value>(name);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = reader.flag(name);
    } else if constexpr (std::is_same_v<Value, float>) {
      value = static_cast<float>(reader.number(name));
    } else {
      value = reader.size(name);
    }
  });
  return fields;
}

Json settings_json(const Settings& settings) {
  Settings copy = settings;
  Json json = Json::object();
  for (const BoundSetting& setting : bind_all(copy)) {
    const std::vector<std::string> values = setting.values();
    if (values.empty()) continue;  // unset
    json[setting.info->section][setting.info->name] = values;
  }
  return json;
}

Settings settings_of(const Reader& reader) {
  Settings settings;
  const std::vector<BoundSetting> bound = bind_all(settings);
  for (const auto& [section, entries] : reader.json().items()) {
    if (!entries.is_object()) reader.refuse(section, "an object of settings");
    for (const auto& [name, values] : entries.items()) {
      std::vector<std::string> texts;
      if (!values.is_array()) reader.refuse(fmt::format("{}.{}", section, name), "a list of text");
      for (const Parsed& value : values) {
        if (!value.is_string())
          reader.refuse(fmt::format("{}.{}", section, name), "a list of text");
        texts.push_back(value.get<std::string>());
      }
      // Named anew, because clang 14 captures no structured binding by reference.
      const auto is_it = [&in = section, &called = name](const BoundSetting& setting) {
        return setting.info->section == in && setting.info->name == called;
      };
      const auto found = std::ranges::find_if(bound, is_it);
      if (found == bound.end())
        reader.refuse(fmt::format("{}.{}", section, name), "a setting that is known");
      try {
        found->assign(texts, reader.file());
      } catch (const Error& error) {
        throw Error(ErrorKind::kModelFile, error.message(), reader.file());
      }
    }
  }
  return settings;
}

const char* role_name(Role role) { return name(role); }

Role role_of(const Reader& reader) {
  const std::string text = reader.text("role");
  for (const Role role : {Role::kTarget, Role::kKnown, Role::kPast}) {
    if (text == role_name(role)) return role;
  }
  reader.refuse("role", "target, known or past");
}

Json origin_json(const Origin& origin) {
  Json history = Json::array();
  for (const model::EpochRecord& record : origin.history) {
    history.push_back({{"epoch", record.epoch},
                       {"learning_rate", record.learning_rate},
                       {"training_loss", record.training_loss},
                       {"validation_mse", record.validation_mse}});
    if (record.seconds != 0) history.back()["seconds"] = record.seconds;
  }
  Json json = {{"written_by", origin.written_by},
               {"cpu", origin.cpu},
               {"engine", origin.engine},
               {"data_source", origin.data_source},
               {"data_sha256", origin.data_sha256},
               {"trained", range_json(origin.trained)},
               {"validated", range_json(origin.validated)},
               {"test", range_json(origin.test)},
               {"refit", origin.is_refit},
               {"best_epoch", origin.best_epoch},
               {"best_validation_mse", origin.best_validation},
               {"naive_validation_mse", origin.naive_validation}};
  // What files of this version may be without.
  if (!std::isnan(origin.seasonal_validation)) {
    json["seasonal_validation_mse"] = origin.seasonal_validation;
  }
  if (origin.seconds != 0) json["seconds"] = origin.seconds;
  json["training_windows"] = origin.training_windows;
  json["validation_windows"] = origin.validation_windows;
  json["history"] = std::move(history);
  json["choices"] = origin.choices;
  json["warnings"] = origin.warnings;
  return json;
}

std::vector<std::string> texts_of(const Reader& reader, const std::string& field) {
  std::vector<std::string> texts;
  for (const Parsed& value : reader.list(field)) {
    if (!value.is_string()) reader.refuse(field, "a list of text");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

// Models that were trained before they left it to the log have it.
double seconds_of(const Reader& reader) {
  return reader.has("seconds") ? reader.number("seconds") : 0.0;
}

Origin origin_of(const Reader& reader, std::size_t version) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  constexpr std::uint64_t kMostWindows = std::numeric_limits<std::uint32_t>::max();
  Origin origin{.written_by = reader.text("written_by"),
                .cpu = reader.text("cpu"),
                .engine = version > 2 ? reader.text("engine") : "",
                .data_source = reader.text("data_source"),
                .data_sha256 = reader.text("data_sha256"),
                .trained = range_of(reader.in("trained")),
                .validated = range_of(reader.in("validated")),
                .test = range_of(reader.in("test")),
                .is_refit = reader.flag("refit"),
                .best_epoch = static_cast<std::uint32_t>(reader.size("best_epoch")),
                .best_validation = reader.number("best_validation_mse"),
                .naive_validation = version > 2 ? reader.number("naive_validation_mse") : kUnknown,
                .seasonal_validation = reader.has("seasonal_validation_mse")
                                           ? reader.number("seasonal_validation_mse")
                                           : kUnknown,
                .seconds = seconds_of(reader),
                .training_windows = reader.size("training_windows", kMostWindows),
                .validation_windows = reader.size("validation_windows", kMostWindows),
                .history = {},
                .choices = texts_of(reader, "choices"),
                .warnings = {}};
  if (version > 2) origin.warnings = texts_of(reader, "warnings");
  for (const Parsed& value : reader.list("history")) {
    const Reader record = reader.item(value, "history");
    origin.history.push_back({static_cast<std::uint32_t>(record.size("epoch")),
                              record.number("learning_rate"), record.number("training_loss"),
                              record.number("validation_mse"), seconds_of(record)});
  }
  return origin;
}

Json time_json(const Model& model) {
  Json features = Json::array();
  for (const CalendarFeature feature : model.calendar.features) features.push_back(name(feature));
  return {{"step", model.step.to_string()},
          {"zone", model.zone.name()},
          {"features", features},
          {"period", model.calendar.period},
          {"phase", choice_name(model.calendar.phase)},
          {"phase_origin", model.phase_origin.milliseconds}};
}

void read_time(const Reader& reader, Model& model) {
  const std::string zone = reader.text("zone");
  const std::vector<std::string> features = texts_of(reader, "features");
  try {
    model.step = Step::parse(reader.text("step"));
    model.zone = zone == "UTC" ? Zone() : Zone::named(zone);
    model.calendar.features = parse_features(features);
  } catch (const Error& error) {
    throw Error(ErrorKind::kModelFile, error.message(), reader.file());
  }
  const std::size_t period = reader.size("period");
  if (period == 0) reader.refuse("period", "1 or more");
  model.calendar.period = static_cast<std::int32_t>(period);
  model.calendar.phase = reader.choice<PhaseSource>("phase");
  model.phase_origin = instant_of(reader, "phase_origin");
}

// Of a model alone there is its shape and no more, as in every version.
void add_shapes(const model::Ensemble& ensemble, Json& json) {
  json["shape"] = fields_json(ensemble.lead().shape());
  const std::span<const model::Member> members = ensemble.members();
  if (members.size() == 1) return;
  json["share"] = members.front().share;
  json["others"] = Json::array();
  for (const model::Member& member : members.subspan(1)) {
    json["others"].push_back(
        {{"share", member.share}, {"shape", fields_json(member.pulse->shape())}});
  }
}

float share_of(const Reader& reader) {
  const double share = reader.number("share");
  if (!(share >= 0.0 && share <= 1.0)) reader.refuse("share", "a number from 0 to 1");
  return static_cast<float>(share);
}

std::vector<MemberShape> shapes_of(const Reader& reader, std::size_t version) {
  std::vector<MemberShape> shapes;
  const bool is_alone = !reader.has("others");
  shapes.push_back({fields_of<model::ModelShape>(reader.in("shape"), version),
                    is_alone ? 1.0f : share_of(reader)});
  if (is_alone) return shapes;
  for (const Parsed& value : reader.list("others")) {
    const Reader other = reader.item(value, "others");
    shapes.push_back({fields_of<model::ModelShape>(other.in("shape"), version), share_of(other)});
  }
  return shapes;
}

}  // namespace

std::string encode_metadata(const Model& model) {
  Json channels = Json::array();
  for (const ChannelInfo& channel : model.channels) {
    Json entry = {{"name", channel.name}, {"role", role_name(channel.role)}};
    if (channel.is_constant) entry["constant"] = true;
    channels.push_back(std::move(entry));
  }
  Json json = {{"format", "pulsecast model"},
               {"version", model.shape().past > 0 ? kMetadataVersion : kVersionWithoutPast},
               {"channels", channels},
               {"time", time_json(model)}};
  add_shapes(model.ensemble, json);
  json["settings"] = settings_json(model.settings);
  json["origin"] = origin_json(model.origin);
  // Names come from files and are UTF-8 by then; a path may be any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<MemberShape> decode_metadata(const std::string& text, bool is_checked,
                                         const std::string& where, Model& model) {
  const Parsed json = parse(text, where);
  const Reader reader(json, "", where);
  if (reader.text("format") != "pulsecast model") reader.refuse("format", "'pulsecast model'");
  const std::size_t version = reader.size("version");
  if (version == 0) reader.refuse("version", "1 or more");
  if (version > kMetadataVersion) {
    throw_error(ErrorKind::kModelFile, where,
                "the model file has version {}, and this program reads up to {}. A newer pulsecast "
                "wrote it: update this one",
                version, kMetadataVersion);
  }
  if (version > 2 && !is_checked) {
    throw_error(ErrorKind::kModelFile, where,
                "its checksums are missing: it is damaged, or another program wrote it");
  }
  for (const Parsed& value : reader.list("channels")) {
    const Reader channel = reader.item(value, "channels");
    model.channels.push_back({channel.text("name"), role_of(channel),
                              channel.json().contains("constant") && channel.flag("constant")});
  }
  read_time(reader.in("time"), model);
  model.settings = settings_of(reader.in("settings"));
  if (version < 4) model.settings.model.known_as = KnownAs::kFeatures;
  model.origin = origin_of(reader.in("origin"), version);
  return shapes_of(reader, version);
}

}  // namespace pulsecast::artifact
