#include "dovetail/testing/backend/device_under_test.h"

#include <cstdio>
#include <cstdlib>

#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/registry.h"
#include "dovetail/testing/shared_files.h"

namespace dovetail {
namespace {

DeviceUnderTest* MakeDevice() {
  constexpr absl::string_view kLibrary = DOVETAIL_TEST_LIBRARY;
  if (!kLibrary.empty()) {
    const absl::Status loaded =
        PluginRegistry::Global().Load(RunfilePath(kLibrary));
    if (!loaded.ok()) {  // there is nothing that a test could go on with
      std::fprintf(stderr, "%s\n", loaded.ToString().c_str());
      std::abort();
    }
  }
  return new DeviceUnderTest{DOVETAIL_TEST_DEVICE, DOVETAIL_TEST_COMPUTES};
}

// So that the device is there for tests that do not ask which it is.
[[maybe_unused]] const DeviceUnderTest& device_at_start = GetDeviceUnderTest();

}  // namespace

const DeviceUnderTest& GetDeviceUnderTest() {
  static const DeviceUnderTest& device = *MakeDevice();
  return device;
}

}  // namespace dovetail
