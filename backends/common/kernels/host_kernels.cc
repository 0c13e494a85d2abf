#include "dovetail/backends/common/kernels/host_kernels.h"

#include "dovetail/backends/common/kernels/detection/vector_box_cover.h"
#include "dovetail/backends/common/kernels/indexing/non_zero.h"
#include "dovetail/backends/common/kernels/random/random_uniform.h"
#include "dovetail/core/reference/detection/detection_output.h"
#include "dovetail/core/reference/detection/non_max_suppression.h"

namespace dovetail {
namespace {

absl::Status HostDetectionOutput(KernelContext& context) {
  return DetectionOutput(context, &MakeVectorBoxCover);
}

absl::Status HostNonMaxSuppression(KernelContext& context) {
  return NonMaxSuppression(context, &MakeVectorBoxCover);
}

// In all their versions.
struct HostKernel {
  absl::string_view type;
  KernelFn kernel;
};
constexpr HostKernel kKernels[] = {
    {"DetectionOutput", &HostDetectionOutput},
    {"NonMaxSuppression", &HostNonMaxSuppression},
    {"NonZero", &HostNonZero},
    {"RandomUniform", &HostRandomUniform},
};

}  // namespace

KernelFn FindHostKernel(const OpInfo& op) {
  if (!op.custom_opset.empty()) return nullptr;
  for (const HostKernel& row : kKernels) {
    if (row.type == op.type) return row.kernel;
  }
  return nullptr;
}

}  // namespace dovetail
