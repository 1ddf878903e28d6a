// How each door of the library writes a setting and asks for an action: the words in which errors
// and findings are shown there.
//
//   command line   --fill linear   --no-router   --drop 'my column'
//   study          fill = "linear"   router = false   drop = ["my column"]
//   Python         fill="linear"   router=False   drop=["my column"]
//   JSON           /data/fill: "linear"   /model/router: false   /data/drop: ["my column"]
//
// What a value is, a switch or a list, comes from its declaration.
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/base/words.h"

namespace pulsecast {

class CommandLineWords : public Words {
 public:
  std::string setting(std::string_view name) const override;
  std::string open_setting(std::string_view name) const override;
  std::string assignment(std::string_view name, std::string_view value) const override;
  std::string_view between() const override;
  std::string action(RemedyAction action) const override;
};

// Of a file that `pulsecast benchmark` reads.
class StudyWords : public Words {
 public:
  std::string assignment(std::string_view name, std::string_view value) const override;
  std::string action(RemedyAction action) const override;
  std::string where_settings_go() const override;
};

// Keyword arguments.
class PythonWords : public Words {
 public:
  std::string setting(std::string_view name) const override;
  std::string assignment(std::string_view name, std::string_view value) const override;
  std::string_view between() const override;
};

// Pointers into a document of sections.
class JsonWords : public Words {
 public:
  std::string setting(std::string_view name) const override;
  std::string assignment(std::string_view name, std::string_view value) const override;
};

}  // namespace pulsecast
