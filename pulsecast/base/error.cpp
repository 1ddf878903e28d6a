#include "pulsecast/base/error.h"

namespace pulsecast {

const char* name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kData:
      return "data";
    case ErrorKind::kModelFile:
      return "model file";
    case ErrorKind::kInputOutput:
      return "input or output";
    case ErrorKind::kTraining:
      return "training";
    case ErrorKind::kInterrupted:
      return "interrupted";
  }
  return "unknown";
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kData:
      return 3;
    case ErrorKind::kModelFile:
      return 4;
    case ErrorKind::kInputOutput:
      return 5;
    case ErrorKind::kTraining:
      return 6;
    case ErrorKind::kInterrupted:
      return 130;
  }
  return 2;
}

Error::Error(ErrorKind kind, std::string message, std::string where)
    : kind_(kind),
      message_(std::move(message)),
      where_(std::move(where)),
      what_(where_.empty() ? message_ : where_ + ": " + message_) {}

}  // namespace pulsecast
