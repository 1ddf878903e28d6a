#include "pulsecast/base/folder.h"

#include <system_error>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  do {  // a call that a signal interrupted is made again
    std::filesystem::create_directories(folder, error);
  } while (error == std::errc::interrupted);
  if (error) {
    throw_error(ErrorKind::kInputOutput, folder.string(), "the folder cannot be made: {}",
                error.message());
  }
}

}  // namespace pulsecast
