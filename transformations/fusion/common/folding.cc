#include "dovetail/transformations/fusion/common/folding.h"

#include "dovetail/core/reference/evaluate.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {

Value Folded(NodeBuilder& b, OpType type, const std::vector<Value>& inputs,
             const AttributeList& attributes) {
  std::vector<Tensor> tensors;
  for (Value input : inputs) {
    const Tensor* tensor = ConstantOf(input);
    if (tensor == nullptr || !tensor->is_contiguous()) return Value{};
    tensors.push_back(*tensor);
  }
  const Value value = b.Make(type, inputs, attributes);
  if (!value || value.node->Is("Constant")) return value;
  const auto outputs =
      EvaluateNode(*value.node, tensors, KernelEnvironment());
  return outputs.ok() && outputs->size() == 1 ? b.Constant((*outputs)[0])
                                              : Value{};
}

}  // namespace dovetail
