#include "pulsecast/base/error.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/base/words.h"

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

Error::Error(ErrorKind kind, std::string message, Place place)
    : kind_(kind), message_(std::move(message)), place_(std::move(place)) {
  say();
}

Error&& Error::with(Remedy remedy) && {
  remedies_.push_back(std::move(remedy));
  say();
  return std::move(*this);
}

Error&& Error::with(std::vector<Remedy> remedies) && {
  std::ranges::move(remedies, std::back_inserter(remedies_));
  say();
  return std::move(*this);
}

void Error::say() {
  const Words plain;
  where_ = to_text(place_, plain);
  what_ = to_text(*this, plain);
}

}  // namespace pulsecast
