// Tests that run on an OpenCL device, and are skipped where there is none.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_ON_DEVICE_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_ON_DEVICE_H_

#include <memory>

#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/testing/shim_control.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {

// On the machine's first device.
class OnDevice : public testing::Test {
 protected:
  void SetUp() override;

  std::shared_ptr<ClDevice> device_;
};

// The same through the shim, which fails nothing at first and counts anew.
class OnShim : public OnDevice {
 protected:
  void SetUp() override;
  void TearDown() override;

  const OpenClShim* shim_ = nullptr;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_ON_DEVICE_H_
