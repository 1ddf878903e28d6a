#include "apps/cli/console.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal/terminal.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/json/error_json.h"
#include "pulsecast/settings/door_words.h"

namespace pulsecast::cli {
namespace {

[[noreturn]] void throw_unwritable() {
  throw_error(ErrorKind::kInputOutput, "standard output", "cannot be written: {}",
              std::strerror(errno));
}

}  // namespace

const Words& command_line_words() {
  static const CommandLineWords words;
  return words;
}

void Console::print(std::string_view text) const {
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) throw_unwritable();
}

void Console::print_json(const nlohmann::ordered_json& document) const {
  // Names from files are UTF-8 by then; a path from the command line may be any bytes.
  print(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void Console::warn(std::string_view text) const { fmt::print(err_, "warning: {}\n", text); }

void Console::remark(std::string_view text) const {
  if (!quiet) std::fwrite(text.data(), 1, text.size(), err_);
}

void Console::fail(const Error& error) const {
  if (json) {
    print_json({{"error", json::error_json(error, *words)}});
    return;
  }
  const std::string line = "pulsecast: " + to_text(error, *words) + "\n";
  std::fwrite(line.data(), 1, line.size(), err_);
}

bool Console::is_terminal() const { return cli::is_terminal(out_); }

void Console::flush() const {
  if (std::fflush(out_) != 0) throw_unwritable();
}

}  // namespace pulsecast::cli
