#include "apps/cli/terminal/wrap.h"

#include <gtest/gtest.h>

namespace pulsecast::cli {
namespace {

TEST(Wrap, WordsGoOnUnderTheirColumn) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrapped("one two three", 9, 2, 6), "one\n  two\n  three\n");
  EXPECT_EQ(wrapped("incomprehensible", 5, 2), "  incomprehensible\n") << "a word stays whole";
  EXPECT_EQ(wrapped("", 9, 2), "  \n");
}

TEST(Wrap, AnEntryWithALongTermHasItsMeaningBelow) {
  EXPECT_EQ(wrapped_entry("--out", "where to", 40, 10), "  --out   where to\n");
  EXPECT_EQ(wrapped_entry("--very-long-flag", "where to write", 20, 10),
            "  --very-long-flag\n          where to\n          write\n");
}

// A shell runs what is printed, at any width.
TEST(Wrap, CommandsGoOnAfterABackslash) {
  EXPECT_EQ(wrapped_command("pulsecast check a.csv", 60), "  pulsecast check a.csv\n");
  EXPECT_EQ(wrapped_command("pulsecast check a.csv --at '2024-05-01 00:00'  # then", 30),
            "  # then\n"
            "  pulsecast check a.csv --at \\\n"
            "      '2024-05-01 00:00'\n");
  EXPECT_EQ(wrapped_command("a b  # one two three four", 12),
            "  # one two\n  # three\n  # four\n  a b\n");
}

}  // namespace
}  // namespace pulsecast::cli
