#include "pulsecast/store/tensor_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::store {
namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

struct TypeInfo {
  DataType type;
  const char* name;
  std::size_t size;
};
constexpr TypeInfo kTypes[] = {
    {DataType::kFloat32, "F32", 4}, {DataType::kFloat64, "F64", 8}, {DataType::kInt64, "I64", 8}};

const TypeInfo& type_info(DataType type) {
  return *std::ranges::find(kTypes, type, &TypeInfo::type);
}

// Takes the parser's events in their order: { name: { dtype: "", shape: [], data_offsets: [] } }.
class HeaderReader : public Json::json_sax_t {
 public:
  HeaderReader(TensorHeader& header, const std::string& where) : header_(header), where_(where) {}

  bool start_object(std::size_t) override {
    if (level_ == kOutside) {
      level_ = kNames;
    } else if (level_ == kNames) {
      level_ = name_ == kMetadata ? kInMetadata : kInTensor;
      given_ = {};
      offsets_.clear();
      if (level_ == kInTensor) header_.entries.push_back({.name = name_, .shape = {}});
    } else {
      refuse_value();
    }
    return true;
  }

  bool key(std::string& text) override {
    if (level_ == kNames) {
      if (!names_.insert(text).second) refuse(fmt::format("it has '{}' twice", text));
      name_ = text;
    } else {
      field_ = text;
    }
    return true;
  }

  bool end_object() override {
    if (level_ == kInTensor) finish_tensor();
    level_ = level_ == kNames ? kOutside : kNames;
    return true;
  }

  bool string(std::string& text) override {
    if (level_ == kInMetadata) {
      if (!header_.metadata.emplace(field_, text).second) {
        refuse(fmt::format("its __metadata__ has '{}' twice", field_));
      }
    } else if (level_ == kInTensor && field_ == "dtype") {
      give(given_.dtype);
      set_type(text);
    } else {
      refuse_value();
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (level_ != kInTensor) refuse_value();
    if (field_ == "shape") {
      give(given_.shape);
    } else if (field_ == "data_offsets") {
      give(given_.offsets);
    } else {
      refuse_value();
    }
    level_ = kInList;
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (level_ != kInList) refuse_value();
    if (field_ == "shape") {
      header_.entries.back().shape.push_back(value);
    } else {
      offsets_.push_back(value);
    }
    return true;
  }

  bool end_array() override {
    level_ = kInTensor;
    return true;
  }

  bool null() override { refuse_value(); }
  bool boolean(bool) override { refuse_value(); }
  bool number_integer(std::int64_t) override { refuse_value(); }
  bool number_float(double, const std::string&) override { refuse_value(); }
  bool binary(Json::binary_t&) override { refuse_value(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    refuse_object();
  }

 private:
  enum Level { kOutside, kNames, kInMetadata, kInTensor, kInList };
  struct Given {
    bool dtype = false;
    bool shape = false;
    bool offsets = false;
  };

  [[noreturn]] void refuse(const std::string& reason) const { refuse_tensors(where_, reason); }
  [[noreturn]] void refuse_object() const { refuse("its header is not a JSON object"); }
  [[noreturn]] void refuse_parts() const {
    refuse(fmt::format("tensor '{}' lacks a dtype, shape or pair of data_offsets", name_));
  }

  // A value that may not stand where it does.
  [[noreturn]] void refuse_value() const {
    switch (level_) {
      case kOutside:
        refuse_object();
      case kInMetadata:
        refuse(fmt::format("its __metadata__ entry '{}' is not a string", field_));
      case kInList:
        refuse(fmt::format("tensor '{}' has a size or offset that is not a whole number", name_));
      case kNames:
      case kInTensor:
        break;
    }
    if (name_ == kMetadata) refuse("its __metadata__ is not an object");
    refuse_parts();
  }

  void give(bool& given) const {
    if (std::exchange(given, true)) {
      refuse(fmt::format("tensor '{}' has '{}' twice", name_, field_));
    }
  }

  void set_type(const std::string& text) {
    const auto* known =
        std::ranges::find(kTypes, std::string_view(text),
                          [](const TypeInfo& type) -> std::string_view { return type.name; });
    if (known == std::end(kTypes)) {
      refuse(fmt::format("tensor '{}' has dtype '{}'; F32, F64 and I64 are known", name_, text));
    }
    header_.entries.back().type = known->type;
  }

  void finish_tensor() {
    if (!given_.dtype || !given_.shape || offsets_.size() != 2) refuse_parts();
    TensorEntry& entry = header_.entries.back();
    entry.begin = offsets_[0];
    entry.end = offsets_[1];
    std::uint64_t bytes = type_size(entry.type);
    for (const std::uint64_t length : entry.shape) {
      if (length != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / length) {
        refuse(fmt::format("tensor '{}' has a shape too large to be true", name_));
      }
      bytes *= length;
    }
    if (entry.begin > entry.end) {
      refuse(fmt::format("tensor '{}' lies at bytes {} to {}", name_, entry.begin, entry.end));
    }
    if (entry.end - entry.begin != bytes) {
      refuse(fmt::format("tensor '{}' should take {} bytes by its shape and takes {}", name_, bytes,
                         entry.end - entry.begin));
    }
  }

  TensorHeader& header_;
  const std::string& where_;
  Level level_ = kOutside;
  std::string name_;   // of the tensor, or __metadata__
  std::string field_;  // in it
  Given given_;
  std::vector<std::uint64_t> offsets_;
  std::unordered_set<std::string> names_;
};

}  // namespace

const char* type_name(DataType type) { return type_info(type).name; }

std::size_t type_size(DataType type) { return type_info(type).size; }

void refuse_tensors(const std::string& where, const std::string& reason) {
  throw_error(ErrorKind::kModelFile, where, "not a valid safetensors file: {}", reason);
}

TensorHeader parse_header(std::string_view text, const std::string& where) {
  TensorHeader header;
  HeaderReader reader(header, where);
  // The parser takes a zero for the end, and would not see what follows.
  if (text.find('\0') != std::string_view::npos) {
    refuse_tensors(where, "its header is not a JSON object");
  }
  Json::sax_parse(text, &reader);
  std::ranges::stable_sort(header.entries, {}, [](const TensorEntry& entry) {
    return std::pair(entry.begin, entry.end);
  });
  std::uint64_t next = 0;
  for (const TensorEntry& entry : header.entries) {
    if (entry.begin != next) {
      refuse_tensors(where, fmt::format("tensor '{}' begins at byte {} where {} was due: tensors "
                                        "overlap or leave a gap",
                                        entry.name, entry.begin, next));
    }
    next = entry.end;
  }
  return header;
}

std::string header_text(const TensorHeader& header) {
  // Written piece by piece: a JSON object that keeps its order finds a name by going through all.
  const auto quoted = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string text = "{";
  if (!header.metadata.empty()) {
    text += fmt::format("\"{}\":{}", kMetadata,
                        Json(header.metadata).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  for (const TensorEntry& entry : header.entries) {
    if (text.size() > 1) text += ',';
    text += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}]}}",
                        quoted(entry.name), type_name(entry.type), Json(entry.shape).dump(),
                        entry.begin, entry.end);
  }
  return text + "}";
}

}  // namespace pulsecast::store
