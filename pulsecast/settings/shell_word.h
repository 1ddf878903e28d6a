// A text as a POSIX shell takes it for one word: quoted where it must be.
#pragma once

#include <string>
#include <string_view>

namespace pulsecast {

std::string shell_word(std::string_view word);

}  // namespace pulsecast
