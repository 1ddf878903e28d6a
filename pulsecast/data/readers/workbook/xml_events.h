// What an XML file holds, told one piece after another as it is read.
//
// Names come without the prefix of their namespace. A file that declares a document type is
// refused: no part of a workbook has one, and entities grow without bound.
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/data/readers/byte_source.h"

namespace pulsecast {

// The attributes of one element; valid while it is told.
class XmlAttributes {
 public:
  // Names and values in turn, ended by a null.
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  // "" where there is none of that name.
  std::string_view operator[](std::string_view name) const;

 private:
  const char** pairs_;
};

class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  virtual void begin(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual void end(std::string_view element) = 0;
  // May come in several pieces.
  virtual void text(std::string_view text) = 0;
};

// Throws Error(kData) for what is no XML, and what `events` throw; `source` names the file.
void read_xml(ByteSource& bytes, const std::string& source, XmlEvents& events);

}  // namespace pulsecast
