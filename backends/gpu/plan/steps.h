// The two kinds of steps in plans of the GPU's.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_STEPS_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_STEPS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/program/host_node.h"
#include "dovetail/backends/gpu/program/kernel_source.h"
#include "dovetail/backends/gpu/queue/nd_range.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {

// A number that a kernel gets as an argument.
using ScalarArgument = std::variant<int32_t, float>;

// The arguments of a user's kernel, in its order: the memory of an operand, as
// a buffer that begins with its first element; bytes of local memory; the bytes
// of a number.
struct BufferArgument {
  int operand;  // inputs first, then outputs
  bool is_output;
  int64_t bytes;
};
struct LocalArgument {
  int64_t bytes;
};
struct NumberArgument {
  std::string bytes;
};
using UserArgument =
    std::variant<BufferArgument, LocalArgument, NumberArgument>;

// A kernel over a range of work items. Its arguments are the operands that are
// there, inputs, outputs and scratch memory, each as buffer and offset
// (kernel_writer.h), and then the scalars; those of a user's kernel are
// `user_arguments` alone.
class LaunchStep : public PlanStep {
 public:
  LaunchStep(KernelSource source, std::vector<ScalarArgument> scalars,
             const NdRange& range)
      : source(std::move(source)), scalars(std::move(scalars)), range(range) {}

  const KernelSource source;
  const std::vector<ScalarArgument> scalars;
  const NdRange range;
  // Bytes of an element of each operand, in order: what offsets count.
  std::vector<int> element_bytes;
  std::vector<UserArgument> user_arguments;
};

// A node that the host computes while the queue is empty.
class HostStep : public PlanStep {
 public:
  explicit HostStep(std::unique_ptr<HostNode> node) : node(std::move(node)) {}

  const std::unique_ptr<HostNode> node;
  // Of the operands, inputs first, each at least 1.
  std::vector<int64_t> bytes;
};

// Null: it is the other kind.
inline const LaunchStep* AsLaunch(const PlannedStep& step) {
  return dynamic_cast<const LaunchStep*>(step.step.get());
}
inline const HostStep* AsHost(const PlannedStep& step) {
  return dynamic_cast<const HostStep*>(step.step.get());
}

// A range of one dimension of at least `count` work items, in groups of
// `group`: kernels have to look whether they are past the end.
inline NdRange LinearRange(int64_t count, int group) {
  NdRange range;
  range.dims = 1;
  range.global[0] = CeilDivide(count, int64_t{group}) * group;
  range.local[0] = group;
  return range;
}

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_STEPS_H_
