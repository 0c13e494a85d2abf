#include "dovetail/backends/common/program/specialized_model.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "dovetail/backends/common/program/analysis/alike_models.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/common/program/analysis/shape_barriers.h"
#include "dovetail/backends/common/program/analysis/shape_segments.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/program/variables/variable_ports.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/structural/extract_model.h"

namespace dovetail {
namespace {

using NodeSet = std::unordered_set<const Node*>;

class Specializer {
 public:
  Specializer(std::shared_ptr<const Model> model,
              const std::shared_ptr<PlanCompiler>& compiler, WorkTeam& team,
              int depth)
      : model_(std::move(model)),
        compiler_(compiler),
        team_(team),
        depth_(depth),
        result_(std::make_shared<SpecializedModel>()) {}

  absl::StatusOr<std::shared_ptr<const SpecializedModel>> Run() {
    result_->model = model_;
    AddInputs(model_->parameters().size());
    DOVETAIL_ASSIGN_OR_RETURN(
        split_, SplitAtShapeBarriers(*model_, depth_ >= Program::kMaxDepth));
    if (split_.all_planned() && ResultsArePlanned()) {
      DOVETAIL_RETURN_IF_ERROR(MakeOnePlan());
    } else {
      // Barriers run by reference kernels.
      DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model_));
      DOVETAIL_RETURN_IF_ERROR(MakePlan());
      AddBarriers();
      DOVETAIL_RETURN_IF_ERROR(MakeContinuation());
      AddOutputs(model_->results().size());
    }
    return std::shared_ptr<const SpecializedModel>(result_);
  }

  // `ports` is what the model was made as.
  absl::StatusOr<std::shared_ptr<const SpecializedModel>> RunInSegments(
      const VariablePorts& ports) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ModelSegment> segments,
                              SplitIntoSegments(*model_));
    if (!IsMostlyFixed(segments)) return nullptr;
    result_->model = model_;
    AddInputs(ports.own_parameters);
    DOVETAIL_RETURN_IF_ERROR(AddVariables(ports));
    for (const ModelSegment& segment : segments) {
      DOVETAIL_ASSIGN_OR_RETURN(
          Part part, Extract(segment.nodes, segment.inputs, segment.outputs));
      // Fixed ones are compiled once, and have weights.
      const int alike = segment.is_fixed ? -1 : FindAlike(*part.model);
      DOVETAIL_RETURN_IF_ERROR(AddSegment(std::move(part)));
      result_->segments.back().alike = alike;
    }
    AddVariableOutputs(ports);
    AddOutputs(ports.own_results);
    return std::shared_ptr<const SpecializedModel>(result_);
  }

 private:
  int NewSlot() { return result_->slot_count++; }

  // Where a value that is computed by now lies.
  int SlotOf(Value value) {
    const auto it = slots_.find(value);
    if (it != slots_.end()) return it->second;
    const auto* constant = value.node->As<ConstantAttributes>();
    if (constant == nullptr) return -1;
    const int slot = slots_[value] = NewSlot();
    result_->constants.emplace_back(slot, constant->value);
    return slot;
  }

  void AddInputs(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      Node* const node = model_->parameters()[i];
      result_->inputs.shapes.push_back(node->port().shape);
      result_->inputs.types.push_back(node->port().type);
      slots_[node->output()] = NewSlot();
    }
  }

  absl::Status AddVariables(const VariablePorts& ports) {
    for (const VariablePorts::Variable& port : ports.variables) {
      SpecializedModel::Variable& variable = result_->variables.emplace_back();
      variable.id = port.id;
      variable.growth = port.growth;
      if (port.parameter < 0) continue;
      Node* const parameter = model_->parameters()[port.parameter];
      variable.type = parameter->port().type;
      variable.shape = port.shape;
      variable.input = slots_[parameter->output()] = NewSlot();
    }
    if (ports.initial == nullptr) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(
        result_->initial_values,
        Program::Create(ports.initial, compiler_, team_, depth_ + 1));
    return absl::OkStatus();
  }

  // When all segments are there.
  void AddVariableOutputs(const VariablePorts& ports) {
    for (size_t i = 0; i < ports.variables.size(); ++i) {
      const int result = ports.variables[i].result;
      if (result < 0) continue;
      result_->variables[i].output =
          SlotOf(model_->results()[result]->input(0));
    }
  }

  // Strings cannot be.
  bool ResultsArePlanned() const {
    for (const Node* node : model_->results()) {
      if (node->input(0).type() == ElementType::kString) return false;
    }
    for (const Node* node : model_->parameters()) {
      if (node->port().type == ElementType::kString) return false;
    }
    return true;
  }

  absl::Status MakeOnePlan() {
    result_->is_one_plan = true;
    DOVETAIL_ASSIGN_OR_RETURN(result_->plan, compiler_->Compile(model_, team_));
    return absl::OkStatus();
  }

  // Of the outputs of `nodes`, those that others read.
  std::vector<Value> ReadElsewhere(
      const std::vector<const Node*>& nodes) const {
    const NodeSet inside(nodes.begin(), nodes.end());
    std::vector<Value> values;
    for (const Node* node : nodes) {
      for (int i = 0; i < node->output_count(); ++i) {
        for (const Use& use : node->port(i).uses) {
          if (inside.count(use.node) > 0) continue;
          values.push_back(Value{const_cast<Node*>(node), i});
          break;
        }
      }
    }
    return values;
  }

  // Nodes of the model as a model of their own, and the values around them.
  struct Part {
    std::shared_ptr<const Model> model;
    std::vector<int> inputs;  // slots
    std::vector<Value> outputs;
  };

  absl::StatusOr<Part> Extract(const std::vector<const Node*>& nodes) {
    return Extract(nodes, ValuesReadBy(nodes), ReadElsewhere(nodes));
  }

  absl::StatusOr<Part> Extract(const std::vector<const Node*>& nodes,
                               const std::vector<Value>& inputs,
                               const std::vector<Value>& outputs) {
    Part part;
    part.outputs = outputs;
    for (Value input : inputs) part.inputs.push_back(SlotOf(input));
    DOVETAIL_ASSIGN_OR_RETURN(
        part.model, ExtractModel(*model_, inputs, nodes, part.outputs));
    return part;
  }

  // The first of new slots, one for each value.
  int AddSlots(const std::vector<Value>& values) {
    const int first = result_->slot_count;
    for (Value value : values) slots_[value] = NewSlot();
    return first;
  }

  absl::Status MakePlan() {
    if (split_.planned.empty()) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(Part part, Extract(split_.planned));
    result_->plan_inputs = std::move(part.inputs);
    DOVETAIL_ASSIGN_OR_RETURN(result_->plan,
                              compiler_->Compile(std::move(part.model), team_));
    result_->first_plan_output = AddSlots(part.outputs);
    return absl::OkStatus();
  }

  void AddBarriers() {
    for (const Node* node : split_.barriers) {
      SpecializedModel::Barrier barrier;
      barrier.node = node;
      barrier.label = HostLabel(*node, compiler_->find_kernel());
      for (Value input : node->inputs()) {
        barrier.inputs.push_back(input ? SlotOf(input) : -1);
      }
      if (!node->bodies().empty()) {
        barrier.bodies =
            std::make_unique<BodyPrograms>(BodyCompiler(compiler_));
      }
      barrier.first_output = result_->slot_count;
      for (int i = 0; i < node->output_count(); ++i) {
        slots_[Value{const_cast<Node*>(node), i}] = NewSlot();
      }
      result_->barriers.push_back(std::move(barrier));
    }
  }

  absl::Status MakeContinuation() {
    if (split_.deferred.empty()) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(Part part, Extract(split_.deferred));
    return AddSegment(std::move(part));
  }

  // Before the segment is added.
  int FindAlike(const Model& segment) {
    const auto number = static_cast<int>(result_->segments.size());
    return alike_.FindOrAdd(segment, number).value_or(-1);
  }

  absl::Status AddSegment(Part part) {
    SpecializedModel::Segment segment;
    segment.inputs = std::move(part.inputs);
    DOVETAIL_ASSIGN_OR_RETURN(
        segment.program,
        Program::Create(std::move(part.model), compiler_, team_, depth_ + 1));
    segment.first_output = AddSlots(part.outputs);
    result_->segments.push_back(std::move(segment));
    return absl::OkStatus();
  }

  void AddOutputs(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      result_->outputs.push_back(SlotOf(model_->results()[i]->input(0)));
    }
  }

  const std::shared_ptr<const Model> model_;
  const std::shared_ptr<PlanCompiler>& compiler_;
  WorkTeam& team_;
  const int depth_;
  const std::shared_ptr<SpecializedModel> result_;
  ModelSplit split_;
  AlikeModels alike_;
  std::map<Value, int> slots_;
};

}  // namespace

InputSignature InputSignature::Of(absl::Span<const Tensor> inputs) {
  InputSignature signature;
  for (const Tensor& input : inputs) {
    signature.types.push_back(input.type());
    signature.shapes.push_back(input.shape());
  }
  return signature;
}

std::optional<InputSignature> InputSignature::Union(const InputSignature& a,
                                                    const InputSignature& b) {
  if (a.types != b.types) return std::nullopt;
  InputSignature all{a.types, {}};
  for (size_t i = 0; i < a.shapes.size(); ++i) {
    PartialShape shape = dovetail::Union(a.shapes[i], b.shapes[i]);
    if (!shape.rank_known()) return std::nullopt;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis].is_dynamic()) shape[axis] = Dimension::Unknown();
    }
    all.shapes.push_back(std::move(shape));
  }
  return all;
}

bool InputSignature::Matches(absl::Span<const Tensor> inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (types[i] != inputs[i].type() ||
        !shapes[i].Contains(inputs[i].shape())) {
      return false;
    }
  }
  return true;
}

bool InputSignature::is_static() const {
  return std::all_of(
      shapes.begin(), shapes.end(),
      [](const PartialShape& shape) { return shape.is_static(); });
}

SpecializedModel::~SpecializedModel() = default;

absl::StatusOr<std::shared_ptr<const SpecializedModel>> SpecializeInSegments(
    std::shared_ptr<const Model> model,
    const std::shared_ptr<PlanCompiler>& compiler, WorkTeam& team, int depth) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<VariablePorts> ports,
                            MakeVariablePorts(std::move(model)));
  if (!ports.has_value()) return nullptr;
  return Specializer(ports->model, compiler, team, depth).RunInSegments(*ports);
}

absl::StatusOr<std::shared_ptr<const SpecializedModel>> Specialize(
    std::shared_ptr<const Model> model,
    const std::shared_ptr<PlanCompiler>& compiler, WorkTeam& team, int depth) {
  DOVETAIL_ASSIGN_OR_RETURN(model, compiler->Adapt(std::move(model)));
  return Specializer(std::move(model), compiler, team, depth).Run();
}

}  // namespace dovetail
