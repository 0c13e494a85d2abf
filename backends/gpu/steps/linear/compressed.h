// Compressed weights in panels: integers of 4 or 8 bits, which kernels multiply
// by their scales as they read them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_COMPRESSED_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_COMPRESSED_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/linear/matmul_kernel.h"
#include "dovetail/backends/gpu/steps/linear/panels.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

namespace dovetail::gpu {

struct CompressedPanels {
  CompressedWeights weights;
  bool is_transposed = false;
  PanelForm form;
  WeightText text;
  int64_t groups = 1, group = 1;  // rows of a group
  std::string type;               // for names of kernels: "u4"
};

// Nothing: the weights are of another form, or more than one matrix.
absl::StatusOr<std::optional<CompressedPanels>> CompressedPanelsOf(
    const MatMulProblem& problem, const PanelForm& form);

// Adds what MatMulBody has after a: b, s and z.
absl::Status AddCompressedBuffers(const MatMulProblem& problem,
                                  const CompressedPanels& panels,
                                  PlanBuilder& builder, Launch& launch);
// Adds groups, group and zero.
absl::Status AddCompressedSizes(const CompressedPanels& panels, Launch& launch);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_COMPRESSED_H_
