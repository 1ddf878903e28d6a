#include "pulsecast/data/readers/gunzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string gunzip(const std::string& bytes) {
  const auto source = gunzip_source(memory_source(bytes), "file.gz");
  return read_all(*source, std::size_t{1} << 30, "file.gz");
}

std::string gunzip_refusal(const std::string& bytes) {
  try {
    gunzip(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  ADD_FAILURE() << "was not refused";
  return "";
}

std::string some_text() {
  std::string text;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    text += static_cast<char>('0' + random::block({.seed = 5}, i)[0] % 10);
  }
  return text;
}

TEST(Gunzip, GivesBackWhatWasCompressed) {
  const std::string text = some_text();
  EXPECT_EQ(gunzip(gzip(text)), text);
  EXPECT_EQ(gunzip(gzip("")), "");
}

TEST(Gunzip, MembersFollowOneAnotherAndZerosMayFollowThem) {
  EXPECT_EQ(gunzip(gzip("one,") + gzip("two")), "one,two");
  EXPECT_EQ(gunzip(gzip("one") + std::string(512, '\0')), "one");
}

TEST(Gunzip, ACutEndIsRefusedWhereverTheCut) {
  const std::string whole = gzip(some_text());
  for (std::size_t size = 2; size < whole.size(); size += whole.size() / 50) {
    EXPECT_NE(gunzip_refusal(whole.substr(0, size)).find("cut short"), std::string::npos) << size;
  }
}

TEST(Gunzip, DamageIsRefused) {
  std::string bytes = gzip(some_text());
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  EXPECT_NE(gunzip_refusal(bytes).find("damaged"), std::string::npos);
  EXPECT_NE(gunzip_refusal(gzip("a") + "tail").find("after the end"), std::string::npos);
}

}  // namespace
}  // namespace pulsecast
