// The device that a test is about. Tests that every backend must pass are
// compiled once; backend_test.bzl links them with each backend.
#ifndef DOVETAIL_TESTING_BACKEND_DEVICE_UNDER_TEST_H_
#define DOVETAIL_TESTING_BACKEND_DEVICE_UNDER_TEST_H_

#include <string>

#include "dovetail/tools/conformance/cases/device_exceptions.h"

namespace dovetail {

// The device and the few things about it that tests have to know. What it says
// of itself by properties is not here; see device_test.h.
struct DeviceUnderTest {
  std::string name;  // as a user names it: "REFERENCE"
  conformance::DeviceExceptions exceptions;
};

// Defined by device_under_test.cc, which each test compiles for itself.
const DeviceUnderTest& GetDeviceUnderTest();

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_BACKEND_DEVICE_UNDER_TEST_H_
