// The border between models of any shapes and what a backend makes of static
// ones.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_STATIC_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_STATIC_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/memory_region.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/execution_info.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// A tensor that crosses the border of a plan: contiguous, row-major.
struct PlanPort {
  ElementType type = ElementType::kDynamic;
  Shape shape;
};

// A model of static shapes, or a part of one, that is ready to run. Immutable;
// shared by contexts.
class StaticPlan {
 public:
  // Memory and handles with which it runs. One run at a time.
  class Instance {
   public:
    virtual ~Instance() = default;

    // Inputs and outputs are contiguous tensors of the plan's types and shapes;
    // no output's memory overlaps another tensor's, but that one which is an
    // input joined with more behind it may begin where the input does. Errors
    // name the layer.
    virtual absl::Status Run(absl::Span<const Tensor> inputs,
                             absl::Span<const Tensor> outputs,
                             RunEnvironment& environment) = 0;
  };

  virtual ~StaticPlan() = default;

  // Those of the model's results.
  virtual const std::vector<PlanPort>& outputs() const = 0;
  // kResourceExhausted when there is not that much memory.
  virtual absl::StatusOr<std::unique_ptr<Instance>> NewInstance() const = 0;

  // ---- For descriptions ----

  virtual int64_t step_count() const = 0;
  // How a node of the model, or what it is a copy of, runs; orders are the
  // numbers of the plan's steps. Nothing: it is none of the plan's.
  virtual std::optional<ExecutionInfo> Describe(const Node& node) const = 0;
  // The bytes of each arena, and what lies in them; steps as above.
  virtual std::vector<int64_t> ArenaBytes() const { return {}; }
  virtual std::vector<MemoryRegion> Memory() const { return {}; }
};

// Whether `copy`, which may be null, is `node`, or was made of it when a part
// of its model or a copy with shapes was made.
bool IsCopyOf(const Node* copy, const Node& node);

// What a backend gives so that its models run for inputs of any shapes. All
// programs of a compiled model share one. Thread-safe.
class PlanCompiler {
 public:
  virtual ~PlanCompiler() = default;

  // Adds what a copy of a lowered model goes through that is made for certain
  // shapes, or for what several sets of them have in common. By default what
  // became constant is folded and what does nothing goes, once: the model is as
  // simple as it can be without shapes.
  virtual void AddPassesForShapes(PassManager& passes) const;

  // Before a model whose parameters have static shapes is split into what is
  // planned and what is not: the model itself, by default, or an inferred copy
  // with the same inputs and outputs, of which more can be planned.
  virtual absl::StatusOr<std::shared_ptr<const Model>> Adapt(
      std::shared_ptr<const Model> model) const {
    return model;
  }

  // All shapes of the model are static, bodies aside. Errors name the layer.
  virtual absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) = 0;

  // Whether plans of parts of a model cost little more to run than one of the
  // whole. Then a model of which only a part depends on the shapes that change
  // from run to run is compiled in parts, most of them once.
  virtual bool splits_by_shape() const { return false; }

  // Memory for what plans leave to reference kernels and to plans behind them:
  // contiguous, readable by the host. By default the heap's, not filled.
  virtual absl::StatusOr<Tensor> Allocate(ElementType type, const Shape& shape);

  // The find_kernel of the environment in which programs run: what lies between
  // plans is named by it in profiles. By default null.
  virtual FindKernelFn find_kernel() const { return nullptr; }
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_STATIC_PLAN_H_
