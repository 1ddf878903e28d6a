#include "pulsecast/store/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "pulsecast/base/error.h"

namespace pulsecast::store {
namespace {

TensorFile example() {
  const std::vector<float> weights = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
  const std::vector<double> scale = {0.1};
  return {{store_floats("layer.weight", {2, 3}, weights), store_doubles("scaler.mean", {1}, scale)},
          {{"format", "test"}}};
}

std::string with_header(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string refusal(const std::string& bytes) {
  try {
    decode_tensors(std::as_bytes(std::span(bytes)), "model");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    EXPECT_EQ(error.where(), "model");
    return error.message();
  }
  return "accepted";
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const std::string bytes = encode_tensors(example());
  const TensorFile file = decode_tensors(std::as_bytes(std::span(bytes)), "model");
  EXPECT_EQ(file.metadata, example().metadata);
  EXPECT_EQ(file.at("layer.weight").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(file.at("layer.weight").floats()[5], 6.0f);
  EXPECT_EQ(file.at("scaler.mean").doubles()[0], 0.1);
  EXPECT_THROW(file.at("scaler.mean").floats(), Error);
  EXPECT_THROW(file.at("absent"), Error);
  EXPECT_EQ(encode_tensors(file), bytes);
}

TEST(Safetensors, AnEmptyTensorAndAnEmptyFile) {
  const TensorFile file{{store_floats("none", {0, 4}, {})}, {}};
  const std::string bytes = encode_tensors(file);
  EXPECT_EQ(decode_tensors(std::as_bytes(std::span(bytes)), "m").at("none").count(), 0u);
  const std::string nothing = with_header("{}");
  EXPECT_TRUE(decode_tensors(std::as_bytes(std::span(nothing)), "m").tensors.empty());
}

// Cut off anywhere, the file is refused, never half read.
TEST(Safetensors, EveryTruncationIsRefused) {
  const std::string bytes = encode_tensors(example());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(refusal(bytes.substr(0, length)), "accepted") << length;
  }
  EXPECT_NE(refusal(bytes + "x").find("goes on after its last tensor"), std::string::npos);
}

TEST(Safetensors, LiesAreRefusedWithTheReason) {
  const auto says = [](const std::string& bytes, const char* reason) {
    EXPECT_NE(refusal(bytes).find(reason), std::string::npos) << refusal(bytes);
  };
  says("\xff\xff\xff\xff\xff\xff\xff\x7f", "header says");
  says(with_header("[1]"), "not a JSON object");
  says(with_header("{\"a\""), "not a JSON object");
  says(with_header(R"({"a": 1})"), "lacks a dtype");
  says(with_header(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", "ab"), "dtype");
  says(with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "abcd"),
       "should take 8 bytes");
  says(with_header(R"({"a":{"dtype":"F32","shape":[100],"data_offsets":[0,400]}})", "abcd"),
       "cut short");
  says(with_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "abcd"), "lies");
  says(with_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "abcd"),
       "whole number");
  says(with_header(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
                   "abcdefgh"),
       "too large");
  says(with_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                   "abcdef"),
       "overlap");
  says(with_header(R"({"__metadata__":{"a":1}})"), "not a string");
  says(with_header(R"({"__metadata__":[]})"), "__metadata__ is not an object");
  says(with_header(R"({"__metadata__":{"a":"1","a":"2"}})"), "has 'a' twice");
  says(with_header(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                   R"("a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})"),
       "has 'a' twice");
  says(with_header(R"({"a":{"dtype":"F32","dtype":"F32","shape":[0],"data_offsets":[0,0]}})"),
       "has 'dtype' twice");
  says(with_header(R"({"a":{"dtype":"F32","shape":[[0]],"data_offsets":[0,0]}})"), "whole number");
  says(with_header(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0],"b":{}}})"), "lacks");
  says(with_header("{}") + std::string(1, ' '), "goes on after");
  says(with_header(std::string("{} \0 ", 5)), "not a JSON object");
}

// A header of brackets or of many names costs no more than its length: refused at the first
// bracket, read in a moment. A tree of it took 1.5 GB and 57 seconds.
TEST(Safetensors, AHostileHeaderCostsNoMoreThanItsLength) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(refusal(with_header(std::string(kLargestHeader, '['))).find("not a JSON object"),
            std::string::npos);
  EXPECT_NE(refusal(with_header("{\"a\":" + std::string(1'000'000, '['))).find("lacks a dtype"),
            std::string::npos);
  std::string names = "{";
  for (int i = 0; i < 100'000; ++i) {
    names += fmt::format(R"("{}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}},)", i);
  }
  names.back() = '}';
  const std::string many = with_header(names);
  EXPECT_EQ(decode_tensors(std::as_bytes(std::span(many)), "m").tensors.size(), 100'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Safetensors, AHeaderBeyondTheLimitIsNeitherReadNorWritten) {
  EXPECT_NE(refusal(with_header(std::string(kLargestHeader + 1, ' '))).find("a header may have"),
            std::string::npos);
  EXPECT_THROW(encode_tensors({{}, {{"text", std::string(kLargestHeader, 'x')}}}), Error);
}

// 100,000 series with long names, each as the metadata of a model has it.
TEST(Safetensors, TheNamesOfManySeriesFit) {
  std::string names;
  for (int i = 0; i < 100'000; ++i) {
    names += fmt::format(R"({{"name":"{:0250}","role":"target"}},)", i);
  }
  const std::string bytes = encode_tensors({{}, {{"pulsecast", names}}});
  EXPECT_EQ(decode_tensors(std::as_bytes(std::span(bytes)), "m").metadata.at("pulsecast"), names);
}

TEST(Safetensors, WhatNeverEndsIsRefused) {
  try {
    read_tensors("/dev/zero");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
  }
}

TEST(Safetensors, AMissingFileAndAFolderAreInputErrors) {
  for (const char* path : {"/nonexistent/model", "/"}) {
    try {
      read_tensors(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInputOutput) << path;
    }
  }
}

}  // namespace
}  // namespace pulsecast::store
