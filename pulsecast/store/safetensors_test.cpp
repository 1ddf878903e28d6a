#include "pulsecast/store/safetensors.h"

#include <gtest/gtest.h>

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
  EXPECT_NE(refusal(bytes + "x").find("1 byte follows the last tensor"), std::string::npos);
  EXPECT_NE(refusal(bytes + "xx").find("2 bytes follow the last tensor"), std::string::npos);
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
  says(with_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,400]}})", "abcd"),
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
