#include "dovetail/backends/gpu/custom/stand_in.h"

#include <string>

namespace dovetail::gpu {

absl::Status AddStandIns(Model& model, const CustomKernels& kernels) {
  if (kernels.empty()) return absl::OkStatus();
  return dovetail::AddStandIns(
      model, [&](const Node& node) -> const std::string* {
        const CustomKernel* const kernel = kernels.Find(node.op());
        return kernel == nullptr ? nullptr : &kernel->where;
      });
}

}  // namespace dovetail::gpu
