// How far the reading of a file has come, for whoever watches it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "pulsecast/base/watch.h"
#include "pulsecast/data/readers/byte_source.h"

namespace pulsecast {

// Bytes are counted wherever they are read, on any thread; they are told of where tell() is called.
class ReadingProgress {
 public:
  // Nobody watches.
  ReadingProgress() = default;
  // Puts a counter in front of `bytes`. `watch` outlives this.
  ReadingProgress(std::unique_ptr<ByteSource>& bytes, const Watch& watch);

  // On the thread of the caller. Throws Error(kInterrupted) when cancelled.
  void tell() const;

 private:
  const Watch* watch_ = nullptr;
  std::shared_ptr<std::atomic<std::uint64_t>> read_;
  std::uint64_t total_ = 0;
};

}  // namespace pulsecast
