#include "dovetail/tools/conformance/compare/integers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "dovetail/core/runtime/testing/toy_plugin.h"

namespace dovetail::conformance {
namespace {

class IntegersTest : public ::testing::Test {
 protected:
  IntegersTest() : core_(&registry_) {
    // What the whole run asks for is not what is tested here.
    unsetenv("DOVETAIL_INFERENCE_PRECISION_HINT");
    EXPECT_TRUE(RegisterToy(registry_, toy_).ok());
  }

  std::shared_ptr<Toy> toy_ = std::make_shared<Toy>();
  PluginRegistry registry_;
  Core core_;
};

TEST_F(IntegersTest, OnlyDevicesThatMultiplyIntegersUseThem) {
  toy_->capabilities = "FP32 INT8 EXPORT_IMPORT";
  EXPECT_TRUE(MayUseIntegers(core_, "TOY", {}));
  for (const char* without : {"FP32 EXPORT_IMPORT", "UINT8", ""}) {
    toy_->capabilities = without;
    EXPECT_FALSE(MayUseIntegers(core_, "TOY", {})) << without;
  }
  EXPECT_FALSE(MayUseIntegers(core_, "NO_TOY", {}));
}

TEST_F(IntegersTest, NotWhereFloatsAreAskedFor) {
  toy_->capabilities = "INT8";
  const auto uses = [&](const PropertyMap& properties) {
    return MayUseIntegers(core_, "TOY", properties);
  };
  EXPECT_FALSE(uses({{"INFERENCE_PRECISION_HINT", "f32"}}));
  EXPECT_FALSE(uses({{"INFERENCE_PRECISION_HINT", "F32"}}));
  EXPECT_FALSE(uses({{"EXECUTION_MODE_HINT", "ACCURACY"}}));
  EXPECT_TRUE(uses({{"INFERENCE_PRECISION_HINT", "bf16"},
                    {"EXECUTION_MODE_HINT", "PERFORMANCE"}}));
}

TEST_F(IntegersTest, WhatTheDeviceIsSetToCountsUnlessTheCallSaysOtherwise) {
  toy_->capabilities = "INT8";
  ASSERT_TRUE(core_.SetProperty("TOY", "INFERENCE_PRECISION_HINT", "f32").ok());
  EXPECT_FALSE(MayUseIntegers(core_, "TOY", {}));
  EXPECT_TRUE(MayUseIntegers(core_, "TOY",
                             {{"INFERENCE_PRECISION_HINT", "dynamic"}}));
}

}  // namespace
}  // namespace dovetail::conformance
