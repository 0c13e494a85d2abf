// A model that is ready to run for inputs of any shapes that it takes.
#ifndef DOVETAIL_BACKENDS_CPU_PROGRAM_PROGRAM_H_
#define DOVETAIL_BACKENDS_CPU_PROGRAM_PROGRAM_H_

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/cpu/plan/plan_instance.h"
#include "dovetail/backends/cpu/program/specialized.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {

// Memory of one context for the shapes that it has seen last. One run at a
// time.
class ProgramState {
 public:
  ~ProgramState();

 private:
  friend class Program;
  struct Instance {
    std::shared_ptr<const Specialized> specialized;
    std::unique_ptr<PlanInstance> plan;
    std::unique_ptr<ProgramState> rest;
    std::vector<Tensor> slots, outputs;
    std::vector<BodyPrograms::States> bodies;  // one for each decision
  };
  std::list<Instance> instances_;  // the last used one first
};

// What all programs of one compiled model share. `settings` gets a compiler of
// bodies.
std::shared_ptr<ProgramResources> MakeResources(CompileSettings settings);

// Where to write output `i`: a contiguous tensor of that type and shape, which
// overlaps no input and no other output.
using PlaceOutputFn = absl::FunctionRef<absl::StatusOr<Tensor>(
    int i, ElementType type, const Shape& shape)>;

// Immutable but for a cache of what it is specialised for; thread-safe. All
// programs of a compiled model share their resources.
class Program {
 public:
  // How many sets of input shapes a program, and a context, remember.
  static constexpr size_t kMaxSpecialized = 32;
  static constexpr size_t kMaxInstances = 8;
  // How often what is left of a model is specialised again within one run, as
  // each time costs a copy of it; after that reference kernels run the rest.
  static constexpr int kMaxDepth = 16;

  // A model of static shapes is compiled at once, another when it runs. `depth`
  // counts the programs around this one.
  static absl::StatusOr<std::unique_ptr<Program>> Create(
      std::shared_ptr<const Model> model,
      std::shared_ptr<ProgramResources> resources, WorkTeam& team,
      int depth = 0);

  const Model& model() const { return *model_; }
  // What a model of static shapes became; null for others.
  const Specialized* only() const { return only_.get(); }

  // What it became for the shapes that were asked for last; null when there
  // were none yet.
  std::shared_ptr<const Specialized> Last() const;

  // Inputs are contiguous tensors that fit the model's parameters. Where the
  // place of an output has memory in common with an input, or is none of its
  // own, results are undefined.
  absl::Status Run(absl::Span<const Tensor> inputs, PlaceOutputFn place_output,
                   ProgramState& state, RunEnvironment& environment) const;

 private:
  Program(std::shared_ptr<const Model> model,
          std::shared_ptr<ProgramResources> resources, int depth)
      : model_(std::move(model)),
        resources_(std::move(resources)),
        depth_(depth) {}

  // Shapes that a stream compiles for now.
  struct InWork {
    std::vector<ElementType> types;
    std::vector<Shape> shapes;
  };

  // Both under mutex_; null: these shapes are new.
  std::shared_ptr<const Specialized> FindKnown(
      absl::Span<const Tensor> inputs) const;
  bool IsBeingMade(absl::Span<const Tensor> inputs) const;
  // Waits for no compilation but one for the same shapes.
  absl::StatusOr<std::shared_ptr<const Specialized>> Find(
      absl::Span<const Tensor> inputs, WorkTeam& team) const;
  absl::StatusOr<std::shared_ptr<const Specialized>> SpecializeFor(
      absl::Span<const Tensor> inputs, WorkTeam& team) const;
  absl::StatusOr<ProgramState::Instance*> InstanceFor(
      absl::Span<const Tensor> inputs, ProgramState& state,
      RunEnvironment& environment) const;
  absl::StatusOr<ProgramState::Instance> NewInstance(
      absl::Span<const Tensor> inputs, WorkTeam& team) const;

  const std::shared_ptr<const Model> model_;
  const std::shared_ptr<ProgramResources> resources_;
  const int depth_;
  std::shared_ptr<const Specialized> only_;

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable one_is_made_;
  mutable std::list<std::shared_ptr<const Specialized>> known_;
  mutable std::list<InWork> in_work_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PROGRAM_PROGRAM_H_
