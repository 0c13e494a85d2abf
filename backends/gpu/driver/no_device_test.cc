#include <string>

#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/testing/opencl_shim.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

// A process lists its devices once: what follows a failure is in one test.
TEST(NoDeviceTest, SaysWhyThereIsNoneAndLooksAgain) {
  const OpenClShim* const shim = UseOpenClShim();
  ASSERT_NE(shim, nullptr);

  shim->Fail("clGetPlatformIDs", 1, CL_OUT_OF_HOST_MEMORY);
  const auto none = ListClDevices();
  EXPECT_EQ(none.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(none.status().message()),
              HasSubstr("clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY"));

  const auto real = ListClDevices();
  if (!real.ok()) GTEST_SKIP() << real.status().message();
  EXPECT_FALSE(real->empty());
}

TEST(NoDeviceTest, ADeviceThatFailsIsLeftOut) {
  const OpenClShim* const shim = UseOpenClShim();
  ASSERT_NE(shim, nullptr);
  const auto devices = ListClDevices();
  if (!devices.ok()) GTEST_SKIP() << devices.status().message();
  const ClDevice& device = *devices->front();
  cl_platform_id platform = nullptr;
  ASSERT_EQ(device.api().GetDeviceInfo(device.id(), CL_DEVICE_PLATFORM,
                                       sizeof(platform), &platform, nullptr),
            CL_SUCCESS);

  shim->Fail("clCreateContext", 1, CL_DEVICE_NOT_AVAILABLE);
  const auto lost = ClDevice::Create(device.api(), platform, device.id(), 0);
  EXPECT_EQ(lost.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(lost.status().message()),
              HasSubstr(device.traits().name));
  shim->Reset();
}

}  // namespace
}  // namespace dovetail::gpu
