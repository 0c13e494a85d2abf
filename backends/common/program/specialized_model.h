// A model made ready for one set of input shapes.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_MODEL_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_MODEL_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/common/program/variables/growing_variable.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

class Program;

// The types and shapes of inputs, as far as they are the same in all runs.
struct InputSignature {
  static InputSignature Of(absl::Span<const Tensor> inputs);
  // Of inputs of either signature; nothing where types or ranks differ.
  static std::optional<InputSignature> Union(const InputSignature& a,
                                             const InputSignature& b);
  bool Matches(absl::Span<const Tensor> inputs) const;
  bool is_static() const;
  friend bool operator==(const InputSignature& a, const InputSignature& b) {
    return a.types == b.types && a.shapes == b.shapes;
  }

  std::vector<ElementType> types;
  std::vector<PartialShape> shapes;
};

// First the plan runs, then the shape barriers, then the segments one after the
// other, which are programs. Of a model of static shapes that is one at most,
// the continuation: the deferred subgraph, which is specialised when the
// barriers' outputs are there. Of a model some of whose shapes vary from run to
// run there are segments alone: those of shapes that stay have a plan for all
// runs. Tensors between them are in numbered slots, the program's inputs first.
struct SpecializedModel {
  struct Barrier {
    const Node* node;
    std::vector<int> inputs;  // slots; -1: an input that is left open
    int first_output;
    std::unique_ptr<BodyPrograms> bodies;  // null: it has none
    StepLabel label;
  };

  struct Segment {
    std::unique_ptr<Program> program;
    std::vector<int> inputs;  // slots
    int first_output;
    // One before it whose program does the same, but for names: for new shapes
    // that one is compiled for both. -1: none.
    int alike = -1;
  };

  // A variable of the model, which segments take and give as a tensor.
  struct Variable {
    std::string id;
    int input = -1, output = -1;  // slots; -1: it is not read, or not written
    ElementType type = ElementType::kDynamic;  // that is read
    PartialShape shape;
    // Where it is there, the output begins with the input's elements.
    std::optional<Growth> growth;
  };

  InputSignature inputs;

  std::shared_ptr<const Model> model;  // the whole of it; owns the nodes
  int slot_count = 0;
  std::vector<std::pair<int, Tensor>> constants;

  std::shared_ptr<const StaticPlan> plan;  // null: nothing is planned
  std::vector<int> plan_inputs;
  int first_plan_output = 0;

  std::vector<Barrier> barriers;

  std::vector<Segment> segments;

  std::vector<Variable> variables;
  // Takes the program's inputs, gives what the variables that are read begin
  // with; null: none is read.
  std::unique_ptr<Program> initial_values;

  std::vector<int> outputs;  // slots of the program's outputs
  // The plan takes all inputs and gives all outputs.
  bool is_one_plan = false;

  ~SpecializedModel();
};

// For all inputs of a signature that is not static: the model in segments, or
// null where these would save little. `model` has such parameters and is
// inferred. `depth` as for Program::Create.
absl::StatusOr<std::shared_ptr<const SpecializedModel>> SpecializeInSegments(
    std::shared_ptr<const Model> model,
    const std::shared_ptr<PlanCompiler>& compiler, WorkTeam& team, int depth);

// `model` has static parameters and is inferred. `depth` as for
// Program::Create.
absl::StatusOr<std::shared_ptr<const SpecializedModel>> Specialize(
    std::shared_ptr<const Model> model,
    const std::shared_ptr<PlanCompiler>& compiler, WorkTeam& team, int depth);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_MODEL_H_
