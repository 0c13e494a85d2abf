#include "dovetail/testing/backend/device_under_test.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/shared_files.h"

namespace dovetail {
namespace {

[[noreturn]] void Die(const absl::Status& why) {
  std::fprintf(stderr, "%s\n", why.ToString().c_str());
  std::abort();  // there is nothing that a test could go on with
}

conformance::DeviceExceptions ReadExceptions() {
  constexpr absl::string_view kPath = DOVETAIL_TEST_EXCEPTIONS;
  if (kPath.empty()) return {};
  auto exceptions = conformance::ReadDeviceExceptions(RunfilePath(kPath));
  if (!exceptions.ok()) Die(exceptions.status());
  return *std::move(exceptions);
}

DeviceUnderTest* MakeDevice() {
  constexpr absl::string_view kLibrary = DOVETAIL_TEST_LIBRARY;
  if (!kLibrary.empty()) {
    const absl::Status loaded =
        PluginRegistry::Global().Load(RunfilePath(kLibrary));
    if (!loaded.ok()) Die(loaded);
  }
  return new DeviceUnderTest{DOVETAIL_TEST_DEVICE, ReadExceptions()};
}

// So that the device is there for tests that do not ask which it is.
[[maybe_unused]] const DeviceUnderTest& device_at_start = GetDeviceUnderTest();

}  // namespace

const DeviceUnderTest& GetDeviceUnderTest() {
  static const DeviceUnderTest& device = *MakeDevice();
  return device;
}

}  // namespace dovetail
