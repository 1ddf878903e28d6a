#include "pulsecast/model/backbone.h"

#include <cassert>

namespace pulsecast::model {

std::unique_ptr<Backbone> make_backbone(Parameters& parameters, const ModelShape& shape) {
  switch (shape.backbone) {
    case BackboneKind::kMlp:
      return make_mlp(parameters, shape);
  }
  assert(false && "a backbone without a line here");
  return nullptr;
}

}  // namespace pulsecast::model
