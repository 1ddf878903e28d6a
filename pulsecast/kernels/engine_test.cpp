#include "pulsecast/kernels/engine.h"

#include <gtest/gtest.h>

namespace pulsecast::kernels {
namespace {

TEST(Engine, NamesItsVectorsAndTheMatrixLibrary) {
  const std::string name = engine_name();
  EXPECT_NE(name.find(" vectors, BLIS "), std::string::npos) << name;
  EXPECT_FALSE(name.starts_with(' ')) << name;
  EXPECT_FALSE(name.ends_with(' ')) << name;
  EXPECT_EQ(name, engine_name());
}

}  // namespace
}  // namespace pulsecast::kernels
