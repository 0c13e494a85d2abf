// Tensors in the fake device's memory that an application holds.
#ifndef DOVETAIL_TESTING_FAKES_FAKE_REMOTE_CONTEXT_H_
#define DOVETAIL_TESTING_FAKES_FAKE_REMOTE_CONTEXT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/remote_context.h"
#include "dovetail/testing/fakes/device/fake_device.h"

namespace dovetail {

// The context of a device. It shares nothing, so it takes no parameters:
// kInvalidArgument.
absl::StatusOr<std::shared_ptr<RemoteContext>> MakeFakeContext(
    std::shared_ptr<FakeDevice> device, const RemoteParams& params);

// The buffer behind a tensor of such a context's; null for other memory.
const FakeBuffer* FakeBufferOf(const DeviceMemory& memory,
                               const FakeDevice& device);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_FAKE_REMOTE_CONTEXT_H_
