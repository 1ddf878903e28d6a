#include "apps/cli/terminal/wrap.h"

#include <algorithm>
#include <vector>

#include "apps/cli/terminal/plain_text.h"

namespace pulsecast::cli {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// The same, but what stands in quotes is one word.
std::vector<std::string> arguments_of(std::string_view command) {
  std::vector<std::string> words(1);
  char quote = '\0';
  for (const char c : command) {
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    }
    if (c == ' ' && quote == '\0') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t starts_at) {
  std::string lines;
  std::size_t at = starts_at;
  if (at == 0) {
    lines.assign(indent, ' ');
    at = indent;
  }
  bool is_first = true;
  for (const std::string_view word : words_of(text)) {
    const std::size_t needed = text_width(word) + (is_first ? 0 : 1);
    if (!is_first && at + needed > width) {
      lines += "\n" + std::string(indent, ' ');
      at = indent;
      is_first = true;
    }
    if (!is_first) lines += ' ';
    lines += word;
    at += text_width(word) + (is_first ? 0 : 1);
    is_first = false;
  }
  return lines + "\n";
}

std::string wrapped_entry(std::string_view term, std::string_view meaning, std::size_t width,
                          std::size_t column) {
  std::string lines = "  " + std::string(term);
  if (meaning.empty()) return lines + "\n";
  const std::size_t used = 2 + text_width(term);
  if (used + 2 > column) return lines + "\n" + wrapped(meaning, width, column);
  lines.append(column - used, ' ');
  return lines + wrapped(meaning, width, column, column);
}

std::string wrapped_command(std::string_view command, std::size_t width) {
  if (2 + text_width(command) <= width) return "  " + std::string(command) + "\n";
  std::string lines;
  if (const std::size_t remark = command.find("  # "); remark != std::string_view::npos) {
    lines = "  # " + wrapped(command.substr(remark + 4), width - 4, 0);
    // What a remark goes on with is a remark too.
    for (std::size_t at = lines.find('\n'); at + 1 < lines.size(); at = lines.find('\n', at + 1)) {
      lines.insert(at + 1, "  # ");
    }
    command = command.substr(0, remark);
  }
  constexpr std::size_t kMore = 6;       // indent of what goes on
  constexpr std::size_t kBackslash = 2;  // with its blank
  std::string line = " ";
  const std::vector<std::string> words = arguments_of(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_last = i + 1 == words.size();
    const bool is_begun = line.find_first_not_of(' ') != std::string::npos;
    const std::size_t needed =
        text_width(line) + 1 + text_width(words[i]) + (is_last ? 0 : kBackslash);
    if (is_begun && needed > width) {
      lines += line + " \\\n";
      line.assign(kMore - 1, ' ');
    }
    line += " " + words[i];
  }
  return lines + line + "\n";
}

}  // namespace pulsecast::cli
