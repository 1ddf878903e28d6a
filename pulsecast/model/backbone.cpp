#include "pulsecast/model/backbone.h"

#include <cassert>

namespace pulsecast::model {

BackboneMaker backbone_maker(BackboneKind kind) {
  switch (kind) {
    case BackboneKind::kMlp:
      return {make_mlp, Normalisation::kUnbiased};
    case BackboneKind::kDLinear:
      return {make_dlinear, Normalisation::kNone};
    case BackboneKind::kSparseTsf:
      return {make_sparsetsf, Normalisation::kMean};
    case BackboneKind::kCycleNet:
      return {make_cyclenet, Normalisation::kUnbiased};
    case BackboneKind::kITransformer:
      return {make_itransformer, Normalisation::kPopulation};
    case BackboneKind::kPatchTst:
      return {make_patchtst, Normalisation::kPopulation};
    case BackboneKind::kTimeXer:
      return {make_timexer, Normalisation::kPopulation};
    case BackboneKind::kTimesNet:
      return {make_timesnet, Normalisation::kPopulation};
    case BackboneKind::kCfpt:
      return {make_cfpt, Normalisation::kPopulation};
    case BackboneKind::kMsgNet:
      return {make_msgnet, Normalisation::kPopulation};
    case BackboneKind::kCrossformer:
      return {make_crossformer, Normalisation::kNone};
    case BackboneKind::kLinear:
      return {make_linear, Normalisation::kMean};
    case BackboneKind::kChannelLinear:
      return {make_channel_linear, Normalisation::kMean};
  }
  assert(false && "a backbone without a maker");
  return {make_mlp, Normalisation::kUnbiased};
}

Normalisation past_normalisation(const ModelShape& shape) {
  return shape.alone ? backbone_maker(shape.backbone).alone : Normalisation::kUnbiased;
}

}  // namespace pulsecast::model
