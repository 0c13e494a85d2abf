// A model that is ready to run for inputs of any shapes that it takes.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_H_

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/common/program/specialized_model.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/growing_memory.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Memory for the shapes that were seen last: of a context, or of those that
// take it in turn (state_pool.h). One run at a time.
class ProgramState {
 public:
  ~ProgramState();

 private:
  friend class Program;
  struct Instance {
    std::shared_ptr<const SpecializedModel> specialized;
    std::unique_ptr<StaticPlan::Instance> plan;
    std::vector<std::unique_ptr<ProgramState>> segments;
    std::vector<Tensor> slots, outputs;
    std::vector<BodyPrograms::States> bodies;  // one for each barrier
    std::vector<GrowingMemory> variable_memory;
  };
  std::list<Instance> instances_;  // the last used one first
};

// Where to write output `i`: a contiguous tensor of that type and shape, which
// overlaps no input and no other output (but see StaticPlan::Instance::Run).
using PlaceOutputFn = absl::FunctionRef<absl::StatusOr<Tensor>(
    int i, ElementType type, const Shape& shape)>;

// Immutable but for a cache of what it is specialised for; thread-safe.
class Program {
 public:
  // How many sets of input shapes a program, and a state, remember.
  static constexpr size_t kMaxSpecialized = 32;
  static constexpr size_t kMaxInstances = 8;
  // After how many it is compiled in segments for what the next ones have in
  // common with them, if the plans' compiler likes it so.
  static constexpr size_t kManyShapes = 3;
  // How many continuations there are one behind the other, as each costs a copy
  // of what is left; after that reference kernels run everything.
  static constexpr int kMaxDepth = 16;

  // A model of static shapes is compiled at once, another when it runs. `depth`
  // counts the programs around this one.
  static absl::StatusOr<std::unique_ptr<Program>> Create(
      std::shared_ptr<const Model> model,
      std::shared_ptr<PlanCompiler> compiler, WorkTeam& team, int depth = 0);

  const Model& model() const { return *model_; }
  // Of the environment that it runs in; see PlanCompiler.
  FindKernelFn find_kernel() const { return compiler_->find_kernel(); }
  // What a model of static shapes became; null for others.
  const SpecializedModel* static_model() const { return static_model_.get(); }

  // What it became for the shapes that were asked for last; null when there
  // were none yet.
  std::shared_ptr<const SpecializedModel> Last() const;

  // Inputs are contiguous tensors that fit the model's parameters. Where the
  // place of an output has memory in common with an input, or is none of its
  // own, results are undefined, but as StaticPlan::Instance::Run has it.
  absl::Status Run(absl::Span<const Tensor> inputs, PlaceOutputFn place_output,
                   ProgramState& state, RunEnvironment& environment) const;

 private:
  Program(std::shared_ptr<const Model> model,
          std::shared_ptr<PlanCompiler> compiler, int depth)
      : model_(std::move(model)),
        compiler_(std::move(compiler)),
        depth_(depth) {}

  // Both under mutex_; null: these shapes are new.
  std::shared_ptr<const SpecializedModel> FindCached(
      absl::Span<const Tensor> inputs) const;
  bool IsInProgress(absl::Span<const Tensor> inputs) const;
  // Under mutex_ too; nothing: the model is to be compiled for them alone.
  std::optional<InputSignature> CommonSignature(
      const InputSignature& inputs) const;
  // Waits for no compilation but one for the same shapes.
  absl::StatusOr<std::shared_ptr<const SpecializedModel>> Find(
      absl::Span<const Tensor> inputs, WorkTeam& team) const;
  // As SpecializeFor; adds it to the cache.
  absl::StatusOr<std::shared_ptr<const SpecializedModel>> MakeUnlocked(
      const InputSignature& inputs, WorkTeam& team,
      std::unique_lock<std::mutex>& lock) const;
  absl::StatusOr<std::shared_ptr<const Model>> ModelFor(
      const InputSignature& inputs) const;
  // Null: not in segments, see SpecializeInSegments.
  absl::StatusOr<std::shared_ptr<const SpecializedModel>> SpecializeFor(
      const InputSignature& inputs, WorkTeam& team) const;
  absl::StatusOr<ProgramState::Instance*> InstanceFor(
      absl::Span<const Tensor> inputs, ProgramState& state,
      RunEnvironment& environment) const;
  absl::StatusOr<ProgramState::Instance> NewInstance(
      absl::Span<const Tensor> inputs, WorkTeam& team) const;

  const std::shared_ptr<const Model> model_;
  const std::shared_ptr<PlanCompiler> compiler_;
  const int depth_;
  std::shared_ptr<const SpecializedModel> static_model_;

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable one_is_made_;
  mutable std::list<std::shared_ptr<const SpecializedModel>> cache_;
  mutable std::list<InputSignature> in_progress_;  // what streams compile now
  mutable std::list<InputSignature> whole_;  // for which segments save little
};

// Compiles the bodies of nodes by `compiler`, whose programs outlive them.
CompileBodyFn BodyCompiler(std::weak_ptr<PlanCompiler> compiler);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_H_
