#include "pulsecast/data/readers/reading_progress.h"

namespace pulsecast {
namespace {

class CountedSource : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> bytes, std::shared_ptr<std::atomic<std::uint64_t>> read)
      : bytes_(std::move(bytes)), read_(std::move(read)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = bytes_->read(into);
    read_->fetch_add(count, std::memory_order_relaxed);
    return count;
  }
  std::optional<std::uint64_t> size() const override { return bytes_->size(); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::shared_ptr<std::atomic<std::uint64_t>> read_;
};

}  // namespace

ReadingProgress::ReadingProgress(std::unique_ptr<ByteSource>& bytes, const Watch& watch)
    : watch_(&watch),
      read_(std::make_shared<std::atomic<std::uint64_t>>(0)),
      total_(bytes->size().value_or(0)) {
  bytes = std::make_unique<CountedSource>(std::move(bytes), read_);
}

void ReadingProgress::tell() const {
  if (watch_ == nullptr) return;
  watch_->advance("reading", read_->load(std::memory_order_relaxed), total_);
}

}  // namespace pulsecast
