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
std::size_t VectorFloats() {
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<float>());
}
bool HasFusedMultiplyAdd() { return HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128; }

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {
namespace {

HWY_EXPORT(VectorName);
HWY_EXPORT(VectorFloats);
HWY_EXPORT(HasFusedMultiplyAdd);

#if HWY_ARCH_X86_64
constexpr const char* kArchitecture = "x86-64";
#elif HWY_ARCH_ARM_A64
constexpr const char* kArchitecture = "AArch64";
#else
constexpr const char* kArchitecture = "another architecture";
#endif

}  // namespace

std::string engine_name() {
  const std::size_t floats = HWY_DYNAMIC_DISPATCH(VectorFloats)();
  return fmt::format("{} vectors of {} float{}", HWY_DYNAMIC_DISPATCH(VectorName)(), floats,
                     floats == 1 ? "" : "s");
}

std::string arithmetic_name() {
  return fmt::format("{} {} fused multiply-adds", kArchitecture,
                     HWY_DYNAMIC_DISPATCH(HasFusedMultiplyAdd)() ? "with" : "without");
}

}  // namespace pulsecast::kernels
#endif
