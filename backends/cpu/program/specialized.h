// A model made ready for one set of input shapes.
#ifndef DOVETAIL_BACKENDS_CPU_PROGRAM_SPECIALIZED_H_
#define DOVETAIL_BACKENDS_CPU_PROGRAM_SPECIALIZED_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/backends/cpu/compiler/weights_cache.h"
#include "dovetail/backends/cpu/plan/plan.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {

class Program;

// What all programs of a compiled model share; see MakeResources in program.h.
struct ProgramResources {
  CompileSettings settings;
  WeightsCache weights;
};

// First the plan runs, then the deciding nodes, then the rest, which is
// specialised when their outputs are there. Tensors between them are in
// numbered slots, the program's inputs first.
struct Specialized {
  struct Decision {
    const Node* node;
    std::vector<int> inputs;  // slots; -1: an input that is left open
    int first_output;
    std::unique_ptr<BodyPrograms> bodies;  // null: it has none
    StepLabel label;
  };

  std::vector<Shape> input_shapes;
  std::vector<ElementType> input_types;

  std::shared_ptr<const Model> model;  // the whole of it; owns the nodes
  int slot_count = 0;
  std::vector<std::pair<int, Tensor>> constants;

  std::shared_ptr<const Plan> plan;  // null: nothing is planned
  std::vector<int> plan_inputs;
  int first_plan_output = 0;

  std::vector<Decision> decisions;

  std::unique_ptr<Program> rest;  // null: nothing is left
  std::vector<int> rest_inputs;
  int first_rest_output = 0;

  std::vector<int> outputs;  // slots of the program's outputs
  // The plan takes all inputs and gives all outputs.
  bool is_one_plan = false;

  ~Specialized();
};

// `model` has static parameters and is inferred. `depth` as for
// Program::Create.
absl::StatusOr<std::shared_ptr<const Specialized>> Specialize(
    std::shared_ptr<const Model> model,
    const std::shared_ptr<ProgramResources>& resources, WorkTeam& team,
    int depth);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PROGRAM_SPECIALIZED_H_
