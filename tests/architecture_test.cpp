// Holds the house to its plan: a room includes only the rooms it declared
// (pulsecast/CMakeLists.txt), declarations have no cycle, and every folder is a declared room.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using Rooms = std::map<std::string, std::set<std::string>>;

Rooms declared_rooms() {
  Rooms rooms;
  std::ifstream file(PULSECAST_DECLARED_ROOMS);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    std::istringstream allowed(line.substr(colon + 1));
    auto& set = rooms[line.substr(0, colon)];
    for (std::string room; allowed >> room;) set.insert(room);
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

TEST(Architecture, RoomsIncludeOnlyWhatTheyDeclared) {
  const Rooms rooms = declared_rooms();
  ASSERT_FALSE(rooms.empty());
  static const std::regex include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">].*");
  int edges = 0;
  for (const auto& [room, allowed] : rooms) {
    const fs::path folder = fs::path(PULSECAST_SOURCE_DIR) / "pulsecast" / room;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string file = entry.path().filename().string();
      // Tests may read fixtures and build inputs with any room.
      if (!entry.is_regular_file() || file.find("_test.") != std::string::npos) continue;
      std::ifstream source(entry.path());
      int number = 0;
      for (std::string line; std::getline(source, line);) {
        ++number;
        std::smatch match;
        if (!std::regex_match(line, match, include)) continue;
        const std::string used = match[1].str();
        EXPECT_FALSE(used.starts_with("apps/")) << entry.path() << ":" << number;
        const std::string other = room_of(used);
        if (other.empty() || other == room) continue;
        ++edges;
        EXPECT_TRUE(allowed.contains(other))
            << entry.path().string() << ":" << number << ": room '" << room << "' includes '"
            << used << "', but pulsecast/CMakeLists.txt does not list '" << other << "' for it";
      }
    }
  }
  EXPECT_GT(edges, 0);
}

TEST(Architecture, EveryFolderIsADeclaredRoom) {
  const Rooms rooms = declared_rooms();
  for (const auto& entry : fs::directory_iterator(fs::path(PULSECAST_SOURCE_DIR) / "pulsecast")) {
    if (!entry.is_directory() || entry.path().filename() == "testing") continue;
    EXPECT_TRUE(rooms.contains(entry.path().filename().string())) << entry.path();
  }
}

// A room may only name rooms declared before it, so the order of the declarations is the proof.
TEST(Architecture, DeclarationsHaveNoCycle) {
  std::ifstream file(PULSECAST_DECLARED_ROOMS);
  std::set<std::string> seen;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    std::istringstream allowed(line.substr(colon + 1));
    for (std::string room; allowed >> room;) {
      EXPECT_TRUE(seen.contains(room))
          << line.substr(0, colon) << " names " << room << " before it";
    }
    seen.insert(line.substr(0, colon));
  }
}

}  // namespace
