#include "pulsecast/kernels/engine.h"

#include <gtest/gtest.h>

namespace pulsecast::kernels {
namespace {

TEST(Engine, NamesItsVectors) {
  const std::string name = engine_name();
  EXPECT_NE(name.find(" vectors"), std::string::npos) << name;
  EXPECT_FALSE(name.starts_with(' ')) << name;
  EXPECT_EQ(name, engine_name());
}

}  // namespace
}  // namespace pulsecast::kernels
