// Models that forecast together: each says what it sees, and the forecast is their mean by shares.
//
// All read the same windows. One that looks back less far than the others reads the newest steps of
// them (newest_steps.h), so that whoever gathers windows, scores them or forecasts need not know
// how many there are.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pulsecast/model/model_shape.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast::model {

struct Member {
  std::unique_ptr<Pulse> pulse;
  float share = 1.0f;
};

class Ensemble {
 public:
  Ensemble() = default;  // of none: to be assigned to
  explicit Ensemble(std::unique_ptr<Pulse> alone);
  // The first leads: what is told of the model is told of it. Throws Error(kUsage) where there is
  // none, or they do not forecast the same channels and steps from the same calendar.
  explicit Ensemble(std::vector<Member> members);

  // What the windows must have: the lead's, with the longest look-back of all and the columns of
  // the past that any of them reads.
  const ModelShape& shape() const { return shape_; }
  std::span<const Member> members() const { return members_; }
  const Pulse& lead() const { return *members_.front().pulse; }
  Pulse& lead() { return *members_.front().pulse; }
  std::size_t learned_count() const;
  // "PULSE with mlp", "PULSE with mlp and 2 others"
  std::string title() const;

 private:
  std::vector<Member> members_;
  ModelShape shape_;
};

}  // namespace pulsecast::model
