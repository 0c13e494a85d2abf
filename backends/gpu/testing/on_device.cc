#include "dovetail/backends/gpu/testing/on_device.h"

#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/testing/opencl_shim.h"

namespace dovetail::gpu {

void OnDevice::SetUp() {
  const auto devices = ListClDevices();
  if (!devices.ok()) GTEST_SKIP() << devices.status().message();
  device_ = devices->front();
}

void OnShim::SetUp() {
  shim_ = UseOpenClShim();
  ASSERT_NE(shim_, nullptr) << "the test has not the shim as data";
  shim_->Reset();
  OnDevice::SetUp();
}

void OnShim::TearDown() {
  if (shim_ != nullptr) shim_->Reset();
}

}  // namespace dovetail::gpu
