// What a launch is told, as bytes.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_LAUNCH_CALL_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_LAUNCH_CALL_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/custom/shave/worker/message.h"
#include "dovetail/core/base/bytes.h"

namespace dovetail::vpu {

struct CalledArgument {
  enum class Kind : uint8_t { kBuffer, kLocal, kValue };
  std::string name;
  Kind kind = Kind::kBuffer;
  uint64_t number = 0;  // of a buffer, or bytes of local memory
  std::string value;    // of a number, as the kernel takes it
};

struct CalledStage {
  uint64_t program = 0;
  std::vector<CalledArgument> arguments;
  std::array<size_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
};

// All kernels of a layer, and the buffers of the file that goes with it.
struct LaunchCall {
  uint64_t id = 0;
  std::vector<Placement> buffers;
  std::vector<CalledStage> stages;

  std::string Bytes() const;
  // Of what Bytes() made; kDataLoss for all else.
  static absl::StatusOr<LaunchCall> Read(ByteReader& reader);
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_LAUNCH_CALL_H_
