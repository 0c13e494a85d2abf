// A model made ready to run for one set of input shapes: steps in order, and
// where the tensors between them lie.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/plan/address.h"
#include "dovetail/backends/common/plan/memory_region.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// How a tensor is stored.
struct StoredAs {
  Format format;
  int rank = 0;
};

// What a device runs as one step; each derives its own.
class PlanStep {
 public:
  virtual ~PlanStep() = default;
};

struct PlannedStep : StepLabel {
  std::unique_ptr<PlanStep> step;
  std::vector<Address> inputs, outputs;
  Address scratch;

  // For descriptions. The node that it was added for, of the plan's model, and
  // those that went into it; null where it only copies.
  const Node* node = nullptr;
  std::vector<const Node*> fused;
  std::string declined;  // faster kernels, and why they are not the one
  ElementType precision = ElementType::kDynamic;  // that it computes in
  std::vector<StoredAs> stored;                   // its outputs
};

// Memory of the host that steps read, which the plan keeps alive.
struct PlannedConstant {
  const void* data = nullptr;
  int64_t bytes = 0;
};

// Immutable; shared by contexts.
struct Plan {
  std::vector<PlanPort> inputs, outputs;
  std::vector<PlannedStep> steps;
  // Nodes whose outputs are views of others': nothing runs for them.
  std::vector<const Node*> views;
  std::vector<int64_t> arena_bytes;  // one an arena that is used
  std::vector<MemoryRegion> memory;  // in the arenas, for descriptions
  // Constants that steps read, also packed ones.
  std::vector<PlannedConstant> constants;
  std::vector<std::shared_ptr<const void>> kept_alive;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_H_
