// What a kernel is launched with for one layer.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_RESOLVE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_RESOLVE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// An argument with everything known.
struct ResolvedArgument {
  ShaveArgument::Kind kind = ShaveArgument::Kind::kInput;
  int port = 0;           // of tensors and buffers
  int64_t bytes = 0;      // of tensors (of one image), buffers, local memory
  bool is_looped = false;  // each image has its own part of the tensor
  bool is_moved = false;   // channels last
  // Of a tensor that is moved.
  int64_t channels = 1, pixels = 1, element_bytes = 1;
  std::string value;  // of numbers, as the kernel takes it
};

struct ResolvedKernel {
  std::vector<ResolvedArgument> arguments;  // in the order of `parameters`
  std::array<size_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  int64_t images = 1;  // each is a launch

  int64_t groups() const {
    return static_cast<int64_t>(global[0] / local[0] * (global[1] / local[1]) *
                                (global[2] / local[2]));
  }
};

// Static shapes. `parameters` are the kernel's, by whose names arguments are
// bound. kInvalidArgument with file, line and element for a parameter without
// an argument and the reverse, a port that the layer does not have, an attribute
// that it does not have, and expressions that give no sizes; for local memory
// beyond 100 KB, which is what SHAVEs have for it.
absl::StatusOr<ResolvedKernel> Resolve(
    const ShaveKernel& kernel, const std::vector<std::string>& parameters,
    const Node& node);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_RESOLVE_H_
