// PULSE: a phase anchor and a residual, each forecast in its own way.
//
//   A_x = M[phase] + history encoding        the anchor of the past
//   X~  = RevIN(X - A_x) + A_x               only the residual is normalised
//   Y0  = backbone(X~)
//   A_y = router(A_x, Y0) + future encoding  the anchor of the future, generated
//   Y   = DeNorm(Y0 - A_y) + A_y
//
// Or, where the shape says so, the backbone alone: what it was published with in place of RevIN, no
// anchor and no router. A linear map may share in the forecasts of a trained model (companion.h).
//
// The model is a plain function on a tape: training and inference run the same code. It works on
// some samples of a batch at a time; what is computed once for a whole batch comes from outside:
// time encodings, of its distinct calendars (encodings.h), and the router's maps (shared_router.h).
#pragma once

#include <memory>
#include <optional>

#include "pulsecast/model/backbone.h"
#include "pulsecast/model/companion.h"
#include "pulsecast/model/mix.h"
#include "pulsecast/model/model_shape.h"
#include "pulsecast/model/normaliser.h"
#include "pulsecast/model/phase_router.h"
#include "pulsecast/model/time_encoder.h"

namespace pulsecast::model {

using autodiff::ApartSamples;

// Some samples as the model reads them. Rows are (sample, channel) pairs, the channel fastest.
struct SampleRows {
  std::size_t samples = 0;
  Tensor history;                           // X (samples * C, T)
  ApartSamples encoding;                    // (C, T) of each sample; none without an anchor
  const std::uint32_t* codebook = nullptr;  // (samples, T), rows of M; null without an anchor
  BackboneContext context;                  // of the same samples
};

// What the anchor of the future is made of beside that of the past; nothing without an anchor.
struct FutureParts {
  ApartSamples encoding;  // (C, H) of each sample
  RouterMaps router;
};

// What training does to the samples on top of forecasting them.
struct TrainingPass {
  RouterDropout dropout;
  Mixup mixup = Mixup::kNone;
  float weight = 1.0f;  // of the first of two that are mixed
};

class Pulse {
 public:
  // Throws Error(kUsage) for a shape that cannot be.
  explicit Pulse(const ModelShape& shape);
  // With a backbone that the settings have no name for; the shape's is not looked at.
  Pulse(const ModelShape& shape, const BackboneMaker& maker);

  const ModelShape& shape() const { return shape_; }
  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  // The same seed gives the same weights.
  void initialise(std::uint64_t seed);

  // A training pass has all samples of the batch; see Backbone.
  bool needs_whole_batch() const { return backbone_->needs_whole_batch(); }

  // Only with an anchor.
  const TimeEncoder& history_encoder() const { return *history_encoder_; }
  const TimeEncoder& future_encoder() const { return *future_encoder_; }

  // Null without one.
  const Companion* companion() const { return companion_ ? &*companion_ : nullptr; }
  const PhaseRouter* router() const { return router_ ? &*router_ : nullptr; }

  // Y (samples * C, H).
  Tensor forecast(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                  const FutureParts& future) const;
  // The same of samples mixed with their partners, with dropout. Anchor and future calendar stay
  // those of `rows`. Without mixup `partners` is not read.
  Tensor forecast_mixed(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                        const SampleRows& partners, const FutureParts& future,
                        const TrainingPass& pass) const;

  // What a forecast is the sum of, for whoever wants to look inside.
  struct Components {
    Tensor forecast;                         // Y (rows, H)
    std::optional<Tensor> anchor;            // A_y (rows, H), none without an anchor
    Tensor mean;                             // (rows) of the residual's history
    Tensor deviation;                        // (rows)
    std::optional<Tensor> routed = {};       // A_y without the future encoding; none without router
    std::optional<Tensor> past_anchor = {};  // A_x (rows, T), none without an anchor
  };
  Components components(Tape& tape, BoundParameters& weights, const SampleRows& rows,
                        const FutureParts& future) const;

 private:
  std::optional<Tensor> anchor(Tape& tape, BoundParameters& weights, const SampleRows& rows) const;
  Components finish(Tape& tape, BoundParameters& weights, const Normalised& input,
                    const std::optional<Tensor>& anchor, const FutureParts& future,
                    const BackboneContext& context, const RouterDropout& dropout) const;

  ModelShape shape_;
  Parameters parameters_;
  std::optional<TimeEncoder> history_encoder_;
  std::optional<TimeEncoder> future_encoder_;
  std::optional<ParameterId> codebook_;
  Normaliser normaliser_;
  std::unique_ptr<Backbone> backbone_;
  std::optional<PhaseRouter> router_;
  std::optional<Companion> companion_;
};

}  // namespace pulsecast::model
