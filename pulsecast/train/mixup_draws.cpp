#include "pulsecast/train/mixup_draws.h"

#include "pulsecast/base/random.h"

namespace pulsecast::train {

using random::Purpose;

MixupDraw MixupDraws::draw(std::uint32_t epoch, std::uint32_t step, std::size_t samples) {
  partners_.resize(samples);
  random::permutation(
      {.seed = seed_, .purpose = Purpose::kMixupPartner, .epoch = epoch, .step = step}, partners_);
  const double weight = random::beta(
      {.seed = seed_, .purpose = Purpose::kMixupWeight, .epoch = epoch, .step = step}, 0, alpha_);
  return {static_cast<float>(weight), partners_};
}

}  // namespace pulsecast::train
