#include "apps/cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>

namespace pulsecast::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool is_terminal(std::FILE* out) {
  return isatty(fileno(out)) == 1 && environment("TERM") != "dumb";
}

bool takes_colour(std::FILE* out) { return is_terminal(out) && environment("NO_COLOR").empty(); }

std::size_t terminal_width(std::FILE* out) {
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view told = environment("COLUMNS");
  std::size_t width = 0;
  const auto [end, status] = std::from_chars(told.data(), told.data() + told.size(), width);
  constexpr std::size_t kNarrowest = 20;
  return status == std::errc() && width >= kNarrowest ? width : kUsualWidth;
}

bool is_utf8_locale(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  std::string codeset(name.substr(dot + 1, name.find('@') - dot - 1));
  std::ranges::transform(codeset, codeset.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return codeset == "utf-8" || codeset == "utf8";
}

bool environment_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (!locale.empty()) return is_utf8_locale(locale);
  }
  return false;
}

}  // namespace pulsecast::cli
