#include "dovetail/core/preprocess/step_context.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/add_convert.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail {

absl::StatusOr<Value> StepContext::Data() const {
  if (planes.size() == 1) return planes[0];
  return InvalidArgument("the picture is ", ColorFormatName(color), " in ",
                         planes.size(),
                         " planes; convert_color has to come before");
}

absl::StatusOr<Value> StepContext::RankedData() const {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, Data());
  if (data.shape().rank_known()) return data;
  return InvalidArgument("the number of dimensions has to be known");
}

absl::StatusOr<int> StepContext::Axis(absl::string_view name) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, RankedData());
  if (layout.empty()) {
    return InvalidArgument("the tensor has no layout; set one with axis ",
                           name);
  }
  return layout.Axis(name, data.shape().rank());
}

std::string StepContext::NextName(absl::string_view type) {
  return absl::StrCat(prefix_, "/", type, "_", count_++);
}

absl::StatusOr<Value> StepContext::Make(
    OpType type, const std::vector<Value>& inputs,
    std::unique_ptr<Attributes> attributes) {
  const OpInfo* op = FindOp(type);
  if (op == nullptr) return Internal("no operation ", type.type());
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * node,
      model_.Add(*op, inputs, std::move(attributes), NextName(op->type)));
  return node->output();
}

absl::StatusOr<Value> StepContext::Constant(const Tensor& tensor) {
  DOVETAIL_ASSIGN_OR_RETURN(Node * node,
                            AddConstant(model_, tensor, NextName("Constant")));
  return node->output();
}

absl::StatusOr<Value> StepContext::Ints(const std::vector<int64_t>& values) {
  const Shape shape = {static_cast<int64_t>(values.size())};
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::FromValues<int64_t>(shape, values));
  return Constant(tensor);
}

absl::StatusOr<Value> StepContext::Convert(Value value, ElementType type) {
  if (value.type() == type) return value;
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * node, AddConvert(model_, value, type, NextName("Convert")));
  return node->output();
}

absl::StatusOr<Value> StepContext::Transpose(
    Value value, const std::vector<int64_t>& order) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value indices, Ints(order));
  return Make("Transpose", {value, indices});
}

absl::StatusOr<Value> StepContext::Gather(Value value,
                                          const std::vector<int64_t>& indices,
                                          int axis) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value taken, Ints(indices));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor number,
                            Tensor::FromValues<int64_t>(Shape(), {axis}));
  DOVETAIL_ASSIGN_OR_RETURN(const Value along, Constant(number));
  return Make("Gather", {value, taken, along});
}

}  // namespace dovetail
