#include "pulsecast/benchmark/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/toml_text.h"

namespace pulsecast::benchmark {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& source)
      : source_(source),
        folder_(std::filesystem::path(source).parent_path()),
        document_(parse_toml(text, source)) {}

  Study parse() && {
    require_keys(document_, {"out", "models", "horizons", "seeds", "keep-forecasts", "datasets",
                             "settings", "forecasts"});
    study_.source = source_;
    study_.out = folder_ / text_at(document_, "out", "the folder for records and reports");
    models();
    study_.seeds = document_.contains("seeds") ? numbers_at(document_, "seeds", 0)
                                               : std::vector<std::int64_t>{2024};
    if (const toml::node* keep = document_.get("keep-forecasts")) {
      if (!keep->is_boolean()) refuse(*keep, "expected true or false");
      study_.keep_forecasts = keep->as_boolean()->get();
    }
    datasets();
    settings();
    forecasts();
    return std::move(study_);
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, const std::string& message) const {
    throw Error(ErrorKind::kUsage, message, place_of(node, source_));
  }

  void require_keys(const toml::table& table, const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      refuse(value, fmt::format("there is no key '{}' here.{} Keys: {}", key.str(),
                                did_you_mean(key.str(), known), joined(known)));
    }
  }

  const toml::node& required(const toml::table& table, const char* key, const char* what) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) refuse(table, fmt::format("'{}' is missing: {}", key, what));
    return *node;
  }

  std::string text_at(const toml::table& table, const char* key, const char* what) const {
    const toml::node& node = required(table, key, what);
    if (!node.is_string() || node.as_string()->get().empty()) {
      refuse(node, fmt::format("'{}' takes text: {}", key, what));
    }
    return node.as_string()->get();
  }

  std::int64_t number_of(const toml::node& node, const char* key, std::int64_t least) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    if (!node.is_integer() || node.as_integer()->get() < least ||
        node.as_integer()->get() > kMost) {
      refuse(node, fmt::format("'{}' takes whole numbers from {} on", key, least));
    }
    return node.as_integer()->get();
  }

  std::vector<std::int64_t> numbers_at(const toml::table& table, const char* key,
                                       std::int64_t least) const {
    const toml::node& node = required(table, key, "a list of whole numbers");
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) refuse(node, fmt::format("'{}' takes a list", key));
    std::vector<std::int64_t> numbers;
    for (const toml::node& element : *list) {
      const std::int64_t number = number_of(element, key, least);
      if (std::ranges::find(numbers, number) != numbers.end()) {
        refuse(element, fmt::format("'{}' has {} twice", key, number));
      }
      numbers.push_back(number);
    }
    return numbers;
  }

  // The tables of [[key]].
  std::vector<const toml::table*> tables_at(const char* key) const {
    std::vector<const toml::table*> tables;
    const toml::node* node = document_.get(key);
    if (node == nullptr) return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr) refuse(*node, fmt::format("write it as [[{}]], once for each", key));
    for (const toml::node& element : *list) {
      if (!element.is_table()) refuse(element, fmt::format("write it as [[{}]]", key));
      tables.push_back(element.as_table());
    }
    return tables;
  }

  std::vector<Override> overrides_of(const toml::table& table) const {
    std::vector<Override> overrides;
    Settings scratch;
    const std::vector<BoundSetting> bound = bind_all(scratch);
    for (const auto& [key, value] : table) {
      if (value.is_table()) continue;
      const std::string where = place_of(value, source_);
      refuse_grid_setting(key.str(), where);
      Override each{std::string(key.str()), value_texts(value, where), where};
      find_setting(bound, each.name, where).assign(each.values, where);
      overrides.push_back(std::move(each));
    }
    return overrides;
  }

  void models() {
    const toml::node& node = required(document_, "models", "a list such as [\"pulse\"]");
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) refuse(node, "'models' takes a list of names");
    for (const toml::node& element : *list) {
      if (!element.is_string()) refuse(element, "a model is named by text");
      Contender model = parse_contender(element.as_string()->get(), place_of(element, source_));
      if (std::ranges::count(study_.models, model.name, &Contender::name) > 0) {
        refuse(element, fmt::format("'{}' is there twice", model.name));
      }
      study_.models.push_back(std::move(model));
    }
  }

  void datasets() {
    std::set<std::string> stems;
    for (const toml::table* table : tables_at("datasets")) {
      require_keys(*table, {"name", "file", "horizons", "settings"});
      StudyDataset dataset{.name = text_at(*table, "name", "what the dataset is called"),
                           .file = folder_ / text_at(*table, "file", "its rows"),
                           .horizons = {},
                           .overrides = {}};
      dataset.horizons =
          numbers_at(table->contains("horizons") ? *table : document_, "horizons", 1);
      if (const toml::node* own = table->get("settings")) {
        if (!own->is_table()) refuse(*own, "'settings' takes a table of settings");
        dataset.overrides = overrides_of(*own->as_table());
      }
      if (!stems.insert(file_stem({"", dataset.name, 0, 0})).second) {
        refuse(*table,
               fmt::format("two datasets called '{}' would share their files", dataset.name));
      }
      study_.datasets.push_back(std::move(dataset));
    }
    if (study_.datasets.empty()) refuse(document_, "there is no [[datasets]]: name at least one");
  }

  void settings() {
    const toml::node* node = document_.get("settings");
    if (node == nullptr) return;
    if (!node->is_table()) refuse(*node, "write it as [settings]");
    study_.overrides = overrides_of(*node->as_table());
    std::vector<std::string> names;
    for (const Contender& model : study_.models) names.push_back(model.name);
    for (const auto& [key, value] : *node->as_table()) {
      const toml::table* table = value.as_table();
      if (table == nullptr) continue;
      if (std::ranges::find(names, key.str()) == names.end()) {
        refuse(value, fmt::format("[settings.\"{}\"] is for none of the models.{} Models: {}",
                                  key.str(), did_you_mean(key.str(), names), joined(names)));
      }
      study_.model_overrides[std::string(key.str())] = overrides_of(*table);
    }
  }

  void forecasts() {
    for (const toml::table* table : tables_at("forecasts")) {
      require_keys(*table, {"name", "file", "dataset", "horizon"});
      OutsideForecasts outside{
          .name = text_at(*table, "name", "who made the forecasts"),
          .file = folder_ / text_at(*table, "file", "CSV with unique_id, ds, cutoff and yhat"),
          .dataset = {},
          .horizon = 0};
      const StudyDataset& dataset = forecast_dataset(*table);
      outside.dataset = dataset.name;
      outside.horizon = forecast_horizon(*table, dataset);
      // One program may come with a file for every dataset and horizon, but models and programs
      // stand in one table.
      const bool is_model = std::ranges::count(study_.models, outside.name, &Contender::name) > 0;
      const bool is_twice = std::ranges::any_of(study_.forecasts, [&](const auto& other) {
        return other.name == outside.name && other.dataset == outside.dataset &&
               other.horizon == outside.horizon;
      });
      if (is_model || is_twice) refuse(*table, fmt::format("'{}' is there twice", outside.name));
      study_.forecasts.push_back(std::move(outside));
    }
  }

  const StudyDataset& forecast_dataset(const toml::table& table) const {
    if (!table.contains("dataset") && study_.datasets.size() == 1) return study_.datasets.front();
    const std::string name = text_at(table, "dataset", "which of [[datasets]] is forecast");
    std::vector<std::string> names;
    for (const StudyDataset& dataset : study_.datasets) {
      if (dataset.name == name) return dataset;
      names.push_back(dataset.name);
    }
    refuse(table, fmt::format("there is no dataset '{}'.{} Datasets: {}", name,
                              did_you_mean(name, names), joined(names)));
  }

  std::int64_t forecast_horizon(const toml::table& table, const StudyDataset& dataset) const {
    if (!table.contains("horizon") && dataset.horizons.size() == 1) {
      return dataset.horizons.front();
    }
    const toml::node& node = required(table, "horizon", "how many steps are forecast");
    const std::int64_t horizon = number_of(node, "horizon", 1);
    if (std::ranges::find(dataset.horizons, horizon) == dataset.horizons.end()) {
      refuse(node, fmt::format("{} is none of the horizons of {}", horizon, dataset.name));
    }
    return horizon;
  }

  std::string source_;
  std::filesystem::path folder_;
  toml::table document_;
  Study study_;
};

}  // namespace

Study parse_study(std::string_view text, const std::string& source) {
  return Parser(text, source).parse();
}

Study read_study(const std::filesystem::path& file) {
  return parse_study(read_text(file, "study"), file.string());
}

}  // namespace pulsecast::benchmark
