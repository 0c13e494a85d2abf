// The fake device as a plugin. It is nothing like a CPU, so that what tests
// show with it holds for the contract and not for one kind of device: inputs
// and outputs are copied, stages end on a thread of the device, memory runs
// out, and everything can fail; see fake_device.h.
#ifndef DOVETAIL_TESTING_FAKES_FAKE_PLUGIN_H_
#define DOVETAIL_TESTING_FAKES_FAKE_PLUGIN_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/testing/fakes/device/fake_device.h"

namespace dovetail {

// Goes by the device's name. The test keeps the device to make it fail.
absl::StatusOr<std::unique_ptr<Plugin>> MakeFakePlugin(
    std::shared_ptr<FakeDevice> device);
// Several of the first one's name: "FAKE.0", "FAKE.1", …; there is at least
// one.
absl::StatusOr<std::unique_ptr<Plugin>> MakeFakePlugin(
    std::vector<std::shared_ptr<FakeDevice>> devices);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_FAKE_PLUGIN_H_
