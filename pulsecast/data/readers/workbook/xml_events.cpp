#include "pulsecast/data/readers/workbook/xml_events.h"

#include <expat.h>

#include <exception>
#include <memory>
#include <type_traits>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr int kPiece = 1 << 16;

std::string_view local(std::string_view name) { return name.substr(name.rfind(':') + 1); }

// Between expat, which is C, and events, which may throw: what they throw waits until expat has
// returned.
struct Listener {
  XML_Parser parser;
  XmlEvents& events;
  std::exception_ptr thrown;
  bool has_doctype = false;

  template <typename Tell>
  void tell(Tell tell) {
    if (thrown) return;
    try {
      tell();
    } catch (...) {
      thrown = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

void listen_begin(void* user, const char* name, const char** attributes) {
  auto& listener = *static_cast<Listener*>(user);
  listener.tell([&] { listener.events.begin(local(name), XmlAttributes(attributes)); });
}

void listen_end(void* user, const char* name) {
  auto& listener = *static_cast<Listener*>(user);
  listener.tell([&] { listener.events.end(local(name)); });
}

void listen_text(void* user, const char* text, int size) {
  auto& listener = *static_cast<Listener*>(user);
  listener.tell([&] { listener.events.text({text, static_cast<std::size_t>(size)}); });
}

void listen_doctype(void* user, const char* /*name*/, const char* /*system*/,
                    const char* /*public_id*/, int /*has_internal_subset*/) {
  auto& listener = *static_cast<Listener*>(user);
  listener.has_doctype = true;
  XML_StopParser(listener.parser, XML_FALSE);
}

}  // namespace

std::string_view XmlAttributes::operator[](std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
    if (local(pair[0]) == name) return pair[1];
  }
  return {};
}

void read_xml(ByteSource& bytes, const std::string& source, XmlEvents& events) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Listener listener{parser.get(), events, nullptr};
  XML_SetUserData(parser.get(), &listener);
  XML_SetElementHandler(parser.get(), &listen_begin, &listen_end);
  XML_SetCharacterDataHandler(parser.get(), &listen_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), &listen_doctype);
  std::string piece(kPiece, '\0');
  for (bool is_last = false; !is_last;) {
    const std::size_t count = bytes.read(piece);
    is_last = count < piece.size();
    const XML_Status status =
        XML_Parse(parser.get(), piece.data(), static_cast<int>(count), is_last ? 1 : 0);
    if (listener.thrown) std::rethrow_exception(listener.thrown);
    if (listener.has_doctype) {
      throw_error(ErrorKind::kData, source, "declares a document type, which no workbook does");
    }
    if (status != XML_STATUS_OK) {
      throw make_error(ErrorKind::kData, source, "is damaged XML (line {}: {})",
                       XML_GetCurrentLineNumber(parser.get()),
                       XML_ErrorString(XML_GetErrorCode(parser.get())))
          .with(remedy::advice("copy the file again"));
    }
  }
}

}  // namespace pulsecast
