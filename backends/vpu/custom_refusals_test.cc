// The device where nothing can run custom kernels.
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "dovetail/backends/vpu/testing/one_layer.h"
#include "dovetail/core/runtime/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// Before anything of the process has looked for a driver.
TEST(CustomRefusalsTest, WithoutADriverOnlyCustomKernelsAreRefused) {
  setenv("DOVETAIL_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", /*replace=*/1);
  Core core;
  const Model model = ModelWith("[1,5,3,8]", "GRN-0(%x) {bias: 0.5}");
  const PropertyMap properties = {
      {"MYRIAD_CUSTOM_LAYERS", "testing/shave_kernels/layers.xml"}};
  const absl::Status status = core.Compile(model, "VPU", properties).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("layer"));
  EXPECT_THAT(status.message(),
              AnyOf(HasSubstr("/nowhere/libOpenCL.so"),
                    HasSubstr("custom kernels need OpenCL, which this build "
                              "leaves out")));
  // A query asks no driver, and nothing else needs one.
  EXPECT_TRUE(core.Query(model, "VPU", properties).ok());
  EXPECT_TRUE(core.Compile(model, "VPU").ok());
}

}  // namespace
}  // namespace dovetail::vpu
