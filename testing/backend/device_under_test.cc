#include "dovetail/testing/backend/device_under_test.h"

namespace dovetail {

const DeviceUnderTest& GetDeviceUnderTest() {
  static const DeviceUnderTest& device =
      *new DeviceUnderTest{DOVETAIL_TEST_DEVICE, DOVETAIL_TEST_COMPUTES};
  return device;
}

}  // namespace dovetail
