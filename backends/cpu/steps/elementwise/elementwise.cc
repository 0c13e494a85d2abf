#include "dovetail/backends/cpu/steps/elementwise/elementwise.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "dovetail/backends/common/fusion/elementwise_group.h"
#include "dovetail/backends/cpu/compiler/lazy_dequantization.h"
#include "dovetail/backends/cpu/steps/elementwise/elementwise_step.h"
#include "dovetail/backends/cpu/steps/elementwise/instruction.h"
#include "dovetail/backends/cpu/steps/elementwise/sweep.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// A constant of one number, in whatever shape.
std::optional<float> NumberOf(Value value) {
  constexpr int64_t kFewElements = 8192;
  const Tensor* tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() > kFewElements) {
    return std::nullopt;
  }
  const double first = tensor->ElementAsDouble(0);
  for (int64_t i = 1; i < tensor->element_count(); ++i) {
    if (tensor->ElementAsDouble(i) != first) return std::nullopt;
  }
  return static_cast<float>(first);
}

// The node with what follows it and reads nothing that is not ready.
ElementwiseGroup GroupOf(const Node& node, const PlanBuilder& builder) {
  const auto takes = [&](const Node& other) {
    return IsInstruction(other) && !builder.IsDone(other);
  };
  const auto reads = [&](const Node& other, int i) {
    return builder.IsReady(other.input(i));
  };
  // More nodes would not fit into the registers of a program.
  return GrowGroup(node, /*is_member=*/true,
                   {takes, reads, &MayBeUsedWithin, /*max_nodes=*/32,
                    /*max_inputs=*/32, &IsLazyDequantization});
}

// Whether a member is computed for this group alone: others who read it compute
// it again, of bytes, rather than read floats. What a group grows from was
// asked for by a reader, who may be none of its members.
bool IsOfGroupAlone(const Node& member, const ElementwiseGroup& group) {
  return IsLazyDequantization(member) && !IsLazyDequantization(*group.nodes[0]);
}

// What the group has to store for readers that are yet to come.
std::vector<const Node*> OutputsOf(const ElementwiseGroup& group,
                                   const PlanBuilder& builder) {
  std::vector<const Node*> outputs = group.Outputs(
      [&](const Node& reader) { return !builder.IsDone(reader); });
  std::erase_if(outputs, [&](const Node* member) {
    return IsOfGroupAlone(*member, group);
  });
  return outputs;
}

// Drops the last member, and what was computed for it alone.
void DropLast(ElementwiseGroup& group) {
  do {
    group.nodes.pop_back();
  } while (IsOfGroupAlone(*group.nodes.back(), group));
}

// A group's program while it is put together.
class ProgramOfGroup {
 public:
  ProgramOfGroup(const PlanBuilder& plan, const ElementwiseGroup& group)
      : plan_(plan), group_(group), outputs_(OutputsOf(group, plan)) {
    for (const Node* node : group.nodes) Add(*node);
    for (const Node* node : outputs_) {
      builder_.Output(computed_.at(node),
                      plan.StoredTypeOf(PlanBuilder::OutputOf(*node)));
    }
  }

  absl::StatusOr<ElementwiseProgram> Build() {
    return std::move(builder_).Build();
  }
  const std::vector<SweepInput>& inputs() const { return inputs_; }
  const std::vector<const Node*>& outputs() const { return outputs_; }

 private:
  void Add(const Node& node) {
    std::vector<int> operands;
    for (int i = 0; i < OperandsOf(node); ++i) {
      operands.push_back(Operand(node, i));
    }
    computed_[&node] = AddInstruction(node, operands, builder_);
  }

  int Operand(const Node& node, int i) {
    const Value value = node.input(i);
    if (const auto it = computed_.find(value.node); it != computed_.end()) {
      return it->second;
    }
    if (const auto number = NumberOf(value)) return builder_.Constant(*number);
    const SweepInput input = {value, AlignedShape(node, i)};
    for (size_t k = 0; k < inputs_.size(); ++k) {
      if (inputs_[k] == input) return loaded_[k];
    }
    inputs_.push_back(input);
    loaded_.push_back(builder_.AddInput(plan_.FormatOf(value).type));
    return loaded_.back();
  }

  const PlanBuilder& plan_;
  const ElementwiseGroup& group_;
  const std::vector<const Node*> outputs_;
  ElementwiseProgram::Builder builder_;
  std::map<const Node*, int> computed_;
  std::vector<SweepInput> inputs_;
  std::vector<int> loaded_;
};

std::optional<ChannelPadding> PaddingOf(const Shape& shape, Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (block == 1 || shape[1] % block == 0) return std::nullopt;
  ChannelPadding padding;
  padding.batch = shape[0];
  padding.area = shape.Count(2, shape.rank());
  padding.block = block;
  padding.used = shape[1] % block;
  padding.first = shape[1] / block * padding.area * block;
  padding.batch_stride = CeilDivide(shape[1], block) * padding.area * block;
  return padding;
}

absl::Status AddStep(const Node& node, PlanBuilder& builder,
                     const ElementwiseGroup& group, const ProgramOfGroup& parts,
                     ElementwiseProgram program, Layout layout) {
  std::vector<Operand> inputs, outputs;
  std::vector<ElementwiseStrides> strides;
  std::vector<bool> is_constant;
  bool repeats_a_number = false;  // over channels that only fill a block, too
  for (const SweepInput& input : parts.inputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        SweepOperand operand,
        ReadForSweep(builder, group.shape, layout, input));
    inputs.push_back(operand.operand);
    repeats_a_number |= operand.strides.back() == 0;
    strides.push_back(std::move(operand.strides));
    is_constant.push_back(operand.is_constant);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      ElementwiseGeometry geometry,
      MakeGeometry(program, StoredDims(group.shape, layout), strides));
  std::optional<ChannelPadding> padding = PaddingOf(group.shape, layout);
  if (!repeats_a_number && KeepsZeros(program)) padding.reset();
  for (const Node* output : parts.outputs()) {
    const Value value = PlanBuilder::OutputOf(*output);
    outputs.push_back(
        builder.Write(value, {builder.StoredTypeOf(value), layout}));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (geometry.inputs[i].kind != OperandWalk::Kind::kDense) continue;
    if (is_constant[i]) continue;
    for (const Operand& output : outputs) {
      if (BitWidth(output.format.type) == BitWidth(inputs[i].format.type)) {
        // Another input may be a part of this one, and needed later.
        builder.AllowInPlace(output, inputs[i], /*alone=*/true);
      }
    }
  }
  for (const Node* member : group.nodes) {
    if (member != &node && !IsOfGroupAlone(*member, group)) {
      builder.Fuse(*member);
    }
  }
  builder.Add(
      node, "fused_elementwise",
      MakeElementwiseStep(std::move(program), std::move(geometry), padding),
      inputs, outputs);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitElementwise(const Node& node, PlanBuilder& builder) {
  if (!IsInstruction(node)) return false;
  ElementwiseGroup group = GroupOf(node, builder);
  while (true) {
    ProgramOfGroup parts(builder, group);
    absl::StatusOr<ElementwiseProgram> program = parts.Build();
    if (absl::IsResourceExhausted(program.status()) && group.nodes.size() > 1) {
      DropLast(group);  // too many registers
      continue;
    }
    if (!program.ok()) return program.status();
    Layout layout =
        ChooseLayout(builder, group.shape, parts.inputs(), parts.outputs());
    if (!CanSweep(builder, group.shape, layout, parts.inputs())) {
      layout = Layout::kPlanar;
    }
    DOVETAIL_RETURN_IF_ERROR(
        AddStep(node, builder, group, parts, *std::move(program), layout));
    return true;
  }
}

}  // namespace dovetail::cpu
