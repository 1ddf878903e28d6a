#include "pulsecast/artifact/file_kind.h"

#include <gtest/gtest.h>

#include <string>

#include "pulsecast/artifact/testing.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/testing.h"

namespace pulsecast::artifact {
namespace {

using namespace std::string_literals;

FileKind kind_of(const std::string& bytes) {
  const pulsecast::testing::TemporaryFolder folder;
  write_file(folder.path() / "file", std::string_view(bytes));
  return file_kind(folder.path() / "file");
}

TEST(FileKind, IsToldByTheFirstBytes) {
  EXPECT_EQ(kind_of("date,load\n2024-01-01,3\n"), FileKind::kText);
  EXPECT_EQ(kind_of("\xEF\xBB\xBF"
                    "date;K\xC3\xB6ln\r\n"),
            FileKind::kText);
  EXPECT_EQ(kind_of("1467331,{}\n"), FileKind::kText) << "a brace alone is no header";
  EXPECT_EQ(kind_of("\x1f\x8b\x08\x00\x00"s), FileKind::kGzip);
  EXPECT_EQ(kind_of("PK\x03\x04\x14\x00"s), FileKind::kZip);
  EXPECT_EQ(kind_of("\x02\0\0\0\0\0\0\0{}"s), FileKind::kTensors);
  EXPECT_EQ(kind_of("\x02\0\0\0\0\0\0\0[]"s), FileKind::kUnknown);
  EXPECT_EQ(kind_of(""), FileKind::kUnknown);
}

TEST(FileKind, AModelIsTensors) {
  EXPECT_EQ(kind_of(testing::bytes_of(testing::tiny_model())), FileKind::kTensors);
}

TEST(FileKind, WhatCannotBeReadIsUnknown) {
  const pulsecast::testing::TemporaryFolder folder;
  EXPECT_EQ(file_kind(folder.path()), FileKind::kUnknown);
  EXPECT_EQ(file_kind(folder.path() / "nowhere"), FileKind::kUnknown);
}

}  // namespace
}  // namespace pulsecast::artifact
