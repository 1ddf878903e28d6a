// What README and CONTRIBUTING show is what is compiled and run: their C++ is docs/examples, word
// for word, and so is the C of docs/c.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> cpp_blocks(const std::string& text) {
  const std::string open = "\n```cpp\n";
  std::vector<std::string> blocks;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST(Readme, EveryCppBlockIsAnExampleThatIsCompiled) {
  const std::filesystem::path source = PULSECAST_SOURCE_DIR;
  const std::vector<std::string> blocks =
      cpp_blocks(contents(source / "README.md") + contents(source / "CONTRIBUTING.md"));
  std::vector<std::string> examples;
  for (const auto& entry : std::filesystem::directory_iterator(source / "docs/examples")) {
    if (entry.path().extension() != ".cpp") continue;  // others have tests that run them
    examples.push_back(contents(entry.path()));
    EXPECT_NE(std::ranges::find(blocks, examples.back()), blocks.end())
        << entry.path() << " is in neither README.md nor CONTRIBUTING.md as it stands";
  }
  EXPECT_FALSE(examples.empty());
  for (const std::string& block : blocks) {
    EXPECT_NE(std::ranges::find(examples, block), examples.end())
        << "no file in docs/examples has this text:\n"
        << block;
  }
}

TEST(Readme, ThePageOfCHasTheExampleThatIsCompiled) {
  const std::filesystem::path source = PULSECAST_SOURCE_DIR;
  const std::string block = "\n```c\n" + contents(source / "docs/examples/c.c") + "```\n";
  EXPECT_NE(contents(source / "docs/c.md").find(block), std::string::npos)
      << "docs/c.md does not have docs/examples/c.c as it stands";
}

}  // namespace
