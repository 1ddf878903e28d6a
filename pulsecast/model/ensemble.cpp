#include "pulsecast/model/ensemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::model {
namespace {

std::vector<Member> one(std::unique_ptr<Pulse> alone) {
  std::vector<Member> members;
  members.push_back({std::move(alone), 1.0f});
  return members;
}

}  // namespace

Ensemble::Ensemble(std::unique_ptr<Pulse> alone) : Ensemble(one(std::move(alone))) {}

Ensemble::Ensemble(std::vector<Member> members) : members_(std::move(members)) {
  if (members_.empty()) {
    throw_error(ErrorKind::kUsage, "ensemble", "there is no model to forecast with");
  }
  shape_ = lead().shape();
  for (const Member& member : members_) {
    const ModelShape& own = member.pulse->shape();
    if (own.horizon != shape_.horizon || own.channels != shape_.channels ||
        own.features != shape_.features) {
      throw_error(ErrorKind::kUsage, "ensemble",
                  "its members forecast {} of {} and {} of {}; all must forecast the same",
                  counted(shape_.horizon, "step"), counted(shape_.channels, "channel"),
                  counted(own.horizon, "step"), counted(own.channels, "channel"));
    }
    if (own.past > 0 && shape_.past > 0 && own.past != shape_.past) {
      throw_error(ErrorKind::kUsage, "ensemble",
                  "its members read {} and {} of the past; all that read any must read the same",
                  counted(shape_.past, "column"), own.past);
    }
    shape_.lookback = std::max(shape_.lookback, own.lookback);
    shape_.past = std::max(shape_.past, own.past);
  }
}

std::size_t Ensemble::learned_count() const {
  std::size_t count = 0;
  for (const Member& member : members_) count += member.pulse->parameters().learned_count();
  return count;
}

std::string Ensemble::title() const {
  std::string own = model_title(lead().shape());
  if (members_.size() == 1) return own;
  return fmt::format("{} and {}", own, counted(members_.size() - 1, "other"));
}

}  // namespace pulsecast::model
