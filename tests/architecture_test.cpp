// Holds the house to its plan: a room includes the rooms it declared (pulsecast/CMakeLists.txt) and
// no other, declarations have no cycle, every folder is a declared room, what is for tests is
// included by tests, the library's texts name no flag, and ARCHITECTURE.md draws and lists what is
// declared.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;
using Rooms = std::map<std::string, Names>;

const fs::path kSource = PULSECAST_SOURCE_DIR;

Names words_of(const std::string& text) {
  std::istringstream stream(text);
  Names words;
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

Rooms declared_rooms() {
  Rooms rooms;
  std::ifstream file(PULSECAST_DECLARED_ROOMS);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    rooms[line.substr(0, colon)] = words_of(line.substr(colon + 1));
  }
  return rooms;
}

// The room of "pulsecast/data/window.h" is "data"; the public face "pulsecast/forecaster.h" has
// none.
std::string room_of(const std::string& include) {
  static const std::regex pattern("pulsecast/([a-z_]+)/.*");
  std::smatch match;
  return std::regex_match(include, match, pattern) ? match[1].str() : "";
}

// Tests may read fixtures and build inputs with any room; so may what only they include.
bool is_for_tests(const fs::path& path) {
  const std::string file = path.filename().string();
  return file.find("_test.") != std::string::npos || file.find("_fuzz.") != std::string::npos ||
         file == "testing.h" || path.string().find("/pulsecast/testing/") != std::string::npos;
}

// body(place, include) for every #include of every file in the folder.
void for_each_include(const fs::path& folder,
                      const std::function<void(const fs::path& file, const std::string& place,
                                               const std::string&)>& body) {
  static const std::regex include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">].*");
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream source(entry.path());
    int number = 0;
    for (std::string line; std::getline(source, line);) {
      ++number;
      std::smatch match;
      if (line.find("include") == std::string::npos || !std::regex_match(line, match, include)) {
        continue;
      }
      body(entry.path(), entry.path().string() + ":" + std::to_string(number), match[1].str());
    }
  }
}

TEST(Architecture, RoomsIncludeWhatTheyDeclaredAndNoOther) {
  const Rooms rooms = declared_rooms();
  ASSERT_FALSE(rooms.empty());
  for (const auto& room : rooms) {
    const std::string& name = room.first;
    const Names& declared = room.second;
    Names used;
    for_each_include(kSource / "pulsecast" / name, [&](const fs::path& file, const std::string& at,
                                                       const std::string& include) {
      EXPECT_FALSE(include.starts_with("apps/") || include.starts_with("bindings/")) << at;
      const std::string other = room_of(include);
      if (other.empty() || other == name || is_for_tests(file)) return;
      used.insert(other);
      EXPECT_TRUE(declared.contains(other))
          << at << ": room '" << name << "' includes '" << include
          << "', but pulsecast/CMakeLists.txt does not list '" << other << "' for it";
    });
    for (const std::string& other : declared) {
      EXPECT_TRUE(used.contains(other)) << "pulsecast/CMakeLists.txt lists '" << other << "' for '"
                                        << name << "', which includes nothing of it";
    }
  }
}

// Programs and the library could otherwise ship it.
TEST(Architecture, WhatIsForTestsIsIncludedByTests) {
  for (const char* folder : {"pulsecast", "apps", "bindings"}) {
    for_each_include(kSource / folder, [](const fs::path& file, const std::string& at,
                                          const std::string& include) {
      const bool for_tests =
          include.starts_with("pulsecast/testing/") || include.ends_with("/testing.h");
      EXPECT_FALSE(for_tests && !is_for_tests(file)) << at << " includes " << include;
    });
  }
}

TEST(Architecture, AppsAndBindingsDoNotIncludeEachOther) {
  for (const char* folder : {"apps", "bindings"}) {
    const std::string own = std::string(folder) + "/";
    for_each_include(kSource / folder, [&](const fs::path&, const std::string& at,
                                           const std::string& include) {
      const bool is_of_another = include.starts_with("apps/") || include.starts_with("bindings/");
      EXPECT_FALSE(is_of_another && !include.starts_with(own)) << at << " includes " << include;
    });
  }
}

TEST(Architecture, EveryFolderIsADeclaredRoom) {
  const Rooms rooms = declared_rooms();
  for (const auto& entry : fs::directory_iterator(kSource / "pulsecast")) {
    if (!entry.is_directory() || entry.path().filename() == "testing") continue;
    EXPECT_TRUE(rooms.contains(entry.path().filename().string())) << entry.path();
  }
}

// The texts in quotes of a C++ source, raw ones too, without its comments.
std::vector<std::string> string_literals(const std::string& source) {
  static const std::regex token(
      R"re(//[^\n]*|/\*[^]*?\*/|'(?:\\.|[^'\\\n])'|R"(\w*)\(([^]*?)\)\1"|"((?:\\.|[^"\\\n])*)")re");
  std::vector<std::string> literals;
  for (std::sregex_iterator match(source.begin(), source.end(), token), end; match != end;
       ++match) {
    if ((*match)[2].matched) literals.push_back((*match)[2]);
    if ((*match)[3].matched) literals.push_back((*match)[3]);
  }
  return literals;
}

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Architecture, LiteralsAreTakenFromCodeAlone) {
  EXPECT_EQ(string_literals("f(\"a\\\"--b\"); // \"--c\"\n/* \"--d\" */ char q = '\"'; \"--e\""),
            (std::vector<std::string>{"a\\\"--b", "--e"}));
  EXPECT_EQ(string_literals("R\"x(--f \" )x\" + n--g"), (std::vector<std::string>{"--f \" "}));
}

// A flag is the word of one door. Errors carry settings as data, and the doors have their words.
TEST(Architecture, TheLibraryNamesNoFlag) {
  const std::set<std::string> allowed = {
      "settings/door_words.cpp",      // the words of the command line
      "settings/reference.cpp",       // the page that tells of flags
      "benchmark/rerun_command.cpp",  // a command for a shell
  };
  static const std::regex flag("--[a-z]");
  const fs::path library = fs::path(PULSECAST_SOURCE_DIR) / "pulsecast";
  std::size_t literals = 0;
  std::set<std::string> needed;
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    const std::string file = fs::relative(entry.path(), library).generic_string();
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".h") continue;
    if (file.find("_test.") != std::string::npos) continue;  // they see what doors show
    for (const std::string& literal : string_literals(contents_of(entry.path()))) {
      ++literals;
      if (!std::regex_search(literal, flag)) continue;
      needed.insert(file);
      EXPECT_TRUE(allowed.contains(file)) << file << ": \"" << literal << "\"";
    }
  }
  EXPECT_GT(literals, 1000U);
  EXPECT_EQ(needed, allowed) << "a file that needs no leave has it";
}

// A room may only name rooms declared before it, so the order of the declarations is the proof.
TEST(Architecture, DeclarationsHaveNoCycle) {
  std::ifstream file(PULSECAST_DECLARED_ROOMS);
  Names seen;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    for (const std::string& room : words_of(line.substr(colon + 1))) {
      EXPECT_TRUE(seen.contains(room))
          << line.substr(0, colon) << " names " << room << " before it";
    }
    seen.insert(line.substr(0, colon));
  }
}

std::vector<std::string> page_lines() {
  std::vector<std::string> lines;
  std::ifstream page(kSource / "ARCHITECTURE.md");
  for (std::string line; std::getline(page, line);) lines.push_back(line);
  return lines;
}

// "  train --> store & data": the rooms on the left stand on those on the right.
Rooms drawn_rooms() {
  static const std::regex label("\\[[^\\]]*\\]");
  Rooms rooms;
  for (const std::string& line : page_lines()) {
    const std::size_t arrow = line.find(" --> ");
    if (arrow == std::string::npos) continue;
    const auto names = [](const std::string& text) {
      Names words = words_of(std::regex_replace(text, label, ""));
      words.erase("&");
      return words;
    };
    const Names below = names(line.substr(arrow + 5));
    for (const std::string& room : names(line.substr(0, arrow))) {
      rooms[room].insert(below.begin(), below.end());
    }
  }
  return rooms;
}

// All that a room stands on, at any depth.
Names below(const Rooms& rooms, const std::string& room) {
  Names found;
  const auto direct = rooms.find(room);
  if (direct == rooms.end()) return found;
  for (const std::string& other : direct->second) {
    found.insert(other);
    found.merge(below(rooms, other));
  }
  return found;
}

TEST(Architecture, ThePictureIsWhatIsDeclared) {
  const Rooms declared = declared_rooms();
  const Rooms drawn = drawn_rooms();
  ASSERT_TRUE(drawn.contains("face"));
  for (const auto& room : declared) {
    const std::string& name = room.first;
    EXPECT_TRUE(name == "base" || drawn.contains(name)) << name << " is not drawn";
    EXPECT_EQ(below(drawn, name), below(declared, name)) << "of " << name;
  }
  for (const auto& room : drawn) {
    EXPECT_TRUE(room.first == "face" || declared.contains(room.first)) << room.first << " is drawn";
  }
}

// "| `data/` | holds | base settings |"
TEST(Architecture, TheTableIsWhatIsDeclared) {
  static const std::regex row("\\| `([a-z_]+)/` \\|.*\\| ([a-z_ -]+) \\|");
  Rooms listed;
  for (const std::string& line : page_lines()) {
    std::smatch match;
    if (!std::regex_match(line, match, row) || match[1] == "testing") continue;
    listed[match[1].str()] = match[2] == "-" ? Names{} : words_of(match[2].str());
  }
  EXPECT_EQ(listed, declared_rooms());
}

}  // namespace
