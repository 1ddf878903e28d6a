#include "pulsecast/data/readers/byte_source.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

// A pipe without a writer is what an open can wait for; signals come while it does.
TEST(ByteSource, AnInterruptedCallIsMadeAgain) {
  struct sigaction interrupt {};
  interrupt.sa_handler = [](int) {};  // and no SA_RESTART
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGUSR1, &interrupt, &before), 0);
  const testing::TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::promise<std::string> read;
  std::thread reader([&] {
    try {
      char bytes[16] = {};
      const std::size_t count = open_file(pipe)->read(bytes);
      read.set_value(std::string(bytes, count));
    } catch (const std::exception& error) {
      read.set_value(error.what());
    }
  });
  std::future<std::string> came = read.get_future();
  for (int i = 0; i < 20; ++i) {
    ::pthread_kill(reader.native_handle(), SIGUSR1);
    if (came.wait_for(std::chrono::milliseconds(2)) == std::future_status::ready) break;
  }
  // Where the reader has given up there is nobody to wait for.
  if (came.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    std::ofstream(pipe) << "rows";
  }
  EXPECT_EQ(came.get(), "rows");
  reader.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace pulsecast
