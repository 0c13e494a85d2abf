// A model made ready to run for one set of input shapes: steps in order, and
// where the tensors between them lie.
#ifndef DOVETAIL_BACKENDS_CPU_PLAN_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_PLAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/plan/step.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Where a tensor is when a plan runs: `offset` bytes into one of these.
struct Address {
  enum class Place : uint8_t {
    kNowhere,   // an optional operand that is not there
    kArena,     // memory of the context, see Plan::arena_bytes
    kInput,     // the input number `index`
    kOutput,    // the output number `index`
    kConstant,  // at `constant`, in memory that the plan keeps alive
  };
  Place place = Place::kNowhere;
  int index = 0;
  int64_t offset = 0;
  const void* constant = nullptr;
};

// A tensor that crosses the border of a plan: contiguous, row-major.
struct PlanPort {
  ElementType type = ElementType::kDynamic;
  Shape shape;
};

struct PlannedStep {
  std::unique_ptr<Step> step;
  std::vector<Address> inputs, outputs;
  Address scratch;

  // For profiles: the layer that it stands for, those that went into it, and
  // what runs it ("onednn_jit:avx2", "fused_elementwise", "reference_f32").
  std::string name, type, kernel;
  std::vector<std::string> fused;
};

// Immutable; shared by contexts.
struct Plan {
  std::vector<PlanPort> inputs, outputs;
  std::vector<PlannedStep> steps;
  int64_t arena_bytes = 0;
  // Constants that steps read, also packed ones.
  std::vector<std::shared_ptr<const void>> kept_alive;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PLAN_PLAN_H_
