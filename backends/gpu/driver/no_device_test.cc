#include <string>

#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/testing/opencl_shim.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

// The one test of this process, which lists its devices once.
TEST(NoDeviceTest, SaysWhyThereIsNoneAndLooksAgain) {
  const OpenClShim* const shim = UseOpenClShim();
  ASSERT_NE(shim, nullptr);

  shim->Fail("clGetPlatformIDs", 1, CL_OUT_OF_HOST_MEMORY);
  const auto none = ListClDevices();
  EXPECT_EQ(none.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(none.status().message()),
              HasSubstr("clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY"));

  shim->Fail("clCreateContext", 0, CL_DEVICE_NOT_AVAILABLE);
  const auto lost = ListClDevices();
  EXPECT_EQ(lost.status().code(), absl::StatusCode::kUnavailable);

  shim->Reset();
  const auto real = ListClDevices();
  if (!real.ok()) GTEST_SKIP() << real.status().message();
  EXPECT_THAT(std::string(lost.status().message()),
              HasSubstr("clCreateContext on '"));
  EXPECT_FALSE(real->empty());
  EXPECT_EQ(*ListClDevices(), *real);
}

}  // namespace
}  // namespace dovetail::gpu
