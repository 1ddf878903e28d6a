#include "pulsecast/kernels/engine.h"

#include <fmt/format.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/engine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

const char* VectorName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {
namespace {

HWY_EXPORT(VectorName);

}  // namespace

std::string engine_name() { return fmt::format("{} vectors", HWY_DYNAMIC_DISPATCH(VectorName)()); }

}  // namespace pulsecast::kernels
#endif
