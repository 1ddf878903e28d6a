#include "apps/cli/terminal/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace pulsecast::cli {
namespace {

TEST(Terminal, KnowsUtf8LocalesByTheirCodeset) {
  for (const char* name : {"C.UTF-8", "en_US.utf8", "de_DE.UTF-8@euro", "ja_JP.Utf-8"}) {
    EXPECT_TRUE(is_utf8_locale(name)) << name;
  }
  for (const char* name : {"", "C", "POSIX", "de_DE", "de_DE.ISO-8859-1", "ja_JP.eucJP", "utf8"}) {
    EXPECT_FALSE(is_utf8_locale(name)) << name;
  }
}

TEST(Terminal, TheFirstLocaleVariableThatIsSetDecides) {
  setenv("LANG", "C.UTF-8", 1);
  setenv("LC_CTYPE", "", 1);
  unsetenv("LC_ALL");
  EXPECT_TRUE(environment_is_utf8());
  setenv("LC_CTYPE", "C", 1);
  EXPECT_FALSE(environment_is_utf8());
  setenv("LC_ALL", "en_GB.UTF-8", 1);
  EXPECT_TRUE(environment_is_utf8());
}

TEST(Terminal, AFileIsNone) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_FALSE(takes_colour(file));
  EXPECT_EQ(terminal_width(file), 80u);
  std::fclose(file);
}

// A pseudo-terminal: as a shell's window is to the program.
TEST(Terminal, HasTheWidthItsWindowHas) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    GTEST_SKIP() << "no pseudo-terminals here";
  }
  std::FILE* terminal = std::fopen(ptsname(master), "w");
  ASSERT_NE(terminal, nullptr);
  winsize size{};
  size.ws_col = 57;
  ASSERT_EQ(ioctl(master, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(terminal_width(terminal), 57u);
  size.ws_col = 0;
  ASSERT_EQ(ioctl(master, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(terminal_width(terminal), 80u) << "some do not tell";

  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_TRUE(is_terminal(terminal));
  EXPECT_TRUE(takes_colour(terminal));
  setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(is_terminal(terminal));
  EXPECT_FALSE(takes_colour(terminal));
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(is_terminal(terminal));
  std::fclose(terminal);
  close(master);
}

}  // namespace
}  // namespace pulsecast::cli
