#include "pulsecast/kernels/engine.h"

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

TEST(Engine, NamesItsVectors) {
  const std::string name = engine_name();
  EXPECT_NE(name.find(" vectors of "), std::string::npos) << name;
  EXPECT_EQ(name, engine_name());
}

TEST(Engine, ArithmeticIsThatOfEveryTargetButTheFallback) {
  std::vector<std::string> fused;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    const std::string name = arithmetic_name();
    if (target == HWY_SCALAR || target == HWY_EMU128) {
      EXPECT_NE(name.find(" without fused"), std::string::npos) << name;
    } else {
      EXPECT_NE(name.find(" with fused"), std::string::npos) << name;
      fused.push_back(name);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  for (const std::string& name : fused) EXPECT_EQ(name, fused.front());
}

}  // namespace
}  // namespace pulsecast::kernels
