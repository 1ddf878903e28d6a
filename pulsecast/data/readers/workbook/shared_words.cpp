#include "pulsecast/data/readers/workbook/shared_words.h"

#include <utility>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/workbook/xml_events.h"

namespace pulsecast {
namespace {

// How a word is read aloud (rPh) is no part of it.
class WordEvents : public XmlEvents {
 public:
  WordEvents(const std::string& source, std::size_t most_bytes)
      : source_(source), most_bytes_(most_bytes) {}

  void begin(std::string_view element, const XmlAttributes& /*attributes*/) override {
    if (element == "si") {
      take(sizeof(std::string));
      words.emplace_back();
    }
    if (element == "rPh") is_phonetic_ = true;
    if (element == "t") is_word_ = !is_phonetic_ && !words.empty();
  }
  void end(std::string_view element) override {
    if (element == "rPh") is_phonetic_ = false;
    if (element == "t") is_word_ = false;
  }
  void text(std::string_view text) override {
    if (!is_word_) return;
    take(text.size());
    words.back() += text;
  }

  std::vector<std::string> words;

 private:
  void take(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= most_bytes_) return;
    throw_error(ErrorKind::kData, source_, "its words take more than {} bytes of memory",
                most_bytes_);
  }

  const std::string& source_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool is_word_ = false;
  bool is_phonetic_ = false;
};

}  // namespace

std::vector<std::string> read_words(ByteSource& bytes, const std::string& source,
                                    std::size_t most_bytes) {
  WordEvents events(source, most_bytes);
  read_xml(bytes, source, events);
  return std::move(events.words);
}

}  // namespace pulsecast
