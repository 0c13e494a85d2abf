#include "dovetail/backends/gpu/steps/elementwise/group_operands.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"

namespace dovetail::gpu {
namespace {

// A constant of one element as an argument of the kernel, so that another
// number needs no other kernel.
std::optional<ScalarArgument> NumberOf(Value value) {
  const Tensor* const tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1) return std::nullopt;
  if (tensor->type() == ElementType::kF32) return tensor->data<float>()[0];
  if (!IsInteger(tensor->type())) return std::nullopt;
  // Larger numbers may be rounded, and do not fit anyway.
  const double number = tensor->ElementAsDouble(0);
  if (number < std::numeric_limits<int32_t>::min() ||
      number > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(number);
}

bool AlignsAtTheFirst(const Node& node) {
  AutoBroadcast mode = AutoBroadcast::kNumpy;
  if (const auto* binary = node.As<BinaryAttributes>()) {
    mode = binary->auto_broadcast;
  } else if (const auto* divide = node.As<DivideAttributes>()) {
    mode = divide->auto_broadcast;
  } else if (const auto* quantize = node.As<FakeQuantizeAttributes>()) {
    mode = quantize->auto_broadcast;
  }
  return mode == AutoBroadcast::kPdpd;
}

Shape AlignedShape(const Node& node, int i) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(i));
  const int rank = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)).rank();
  if (shape.Count() == 1) return Shape();
  if (shape.rank() > rank) {  // by axes of extent 1
    return Shape(shape.dims().subspan(shape.rank() - rank));
  }
  std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  if (AlignsAtTheFirst(node)) dims.resize(rank, 1);
  if (i == 1 && node.Is("PRelu")) {
    const auto slope =
        AlignSlope(shape, PlanBuilder::ShapeOf(node.input(0))).ToShape();
    dims.assign(slope->dims().begin(), slope->dims().end());
  }
  dims.insert(dims.begin(), rank - dims.size(), 1);
  return Shape(dims);
}

}  // namespace

GroupOperands::GroupOperands(const ElementwiseGroup& group,
                             const PlanBuilder& builder) {
  for (const Node* node : group.nodes) {
    GroupMember member;
    member.node = node;
    member.expression = *ExpressionOf(*node);
    for (int i = 0; i < member.expression.operands; ++i) {
      member.operands.push_back(PlaceOf(*node, i));
    }
    for (const double number : member.expression.numbers) {
      member.numbers.push_back(numbers.size());
      if (IsFloat(member.expression.types.type)) {
        numbers.emplace_back(static_cast<float>(number));
      } else {
        numbers.emplace_back(static_cast<int32_t>(number));
      }
    }
    members.push_back(std::move(member));
  }
  for (GroupInput& input : inputs) {
    input.stored = builder.FormatOf(input.value).type;
  }
}

OperandPlace GroupOperands::PlaceOf(const Node& node, int i) {
  const Value value = node.input(i);
  for (size_t k = 0; k < members.size(); ++k) {
    if (members[k].node == value.node) {
      return {OperandPlace::Kind::kNode, k};
    }
  }
  if (const auto number = NumberOf(value)) {
    numbers.push_back(*number);
    return {OperandPlace::Kind::kNumber, numbers.size() - 1};
  }
  return PlaceOfInput({value, AlignedShape(node, i)});
}

OperandPlace GroupOperands::PlaceOfInput(const GroupInput& input) {
  size_t k = 0;
  while (k < inputs.size() &&
         (inputs[k].value != input.value || inputs[k].shape != input.shape)) {
    ++k;
  }
  if (k == inputs.size()) inputs.push_back(input);
  return {OperandPlace::Kind::kInput, k};
}

}  // namespace dovetail::gpu
