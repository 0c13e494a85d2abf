// What the kernel of a group of elementwise operations reads.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_OPERANDS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_OPERANDS_H_

#include <cstddef>
#include <vector>

#include "dovetail/backends/common/fusion/elementwise_group.h"
#include "dovetail/backends/gpu/codegen/expressions/expressions.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::gpu {

// A value from outside and the shape by which it broadcasts: of the result's
// rank; of one element: of no axes.
struct GroupInput {
  Value value;
  Shape shape;
  ElementType stored = ElementType::kDynamic;  // in memory
};

// An operand of a node: the result of a node before it, an input, or a number.
struct OperandPlace {
  enum class Kind { kNode, kInput, kNumber };
  Kind kind = Kind::kNode;
  size_t index = 0;  // in the list of that kind
};

struct GroupMember {
  const Node* node = nullptr;
  Expression expression;
  std::vector<OperandPlace> operands;
  std::vector<size_t> numbers;  // of the expression, in GroupOperands::numbers
};

struct GroupOperands {
  // Of a group whose nodes all have expressions; what they read is ready.
  GroupOperands(const ElementwiseGroup& group, const PlanBuilder& builder);

  std::vector<GroupMember> members;
  std::vector<GroupInput> inputs;
  // Attributes, and constants of one element that fit into an argument.
  std::vector<ScalarArgument> numbers;

 private:
  OperandPlace PlaceOf(const Node& node, int i);
  OperandPlace PlaceOfInput(const GroupInput& input);
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_OPERANDS_H_
