#include "dovetail/transformations/common/node_builder.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

// Integers of at most this size are exact where inference holds them.
constexpr int64_t kMaxExact = int64_t{1} << 53;

bool AreExact(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t value) {
    return -kMaxExact < value && value < kMaxExact;
  });
}

}  // namespace

// ---- Any node ----

Value NodeBuilder::Fail(absl::Status status) {
  status_.Update(std::move(status));
  return Value{};
}

std::vector<Value> NodeBuilder::Adopt(Node* node) {
  node->rt_info() = replaced_.rt_info();
  SetFusedNames(*node, FusedNames(replaced_));
  added_.push_back(node);
  std::vector<Value> outputs;
  for (int i = 0; i < node->output_count(); ++i) {
    outputs.push_back(node->output(i));
  }
  return outputs;
}

std::vector<Value> NodeBuilder::MakeAll(
    const OpInfo& op, const std::vector<Value>& inputs,
    std::unique_ptr<Attributes> attributes) {
  const bool complete = std::all_of(inputs.begin(), inputs.end(),
                                    [](Value value) { return bool(value); });
  if (!complete) Fail(Internal("an input of ", op.ToString(), " is missing"));
  if (status_.ok()) {
    auto node = model_.Add(
        op, inputs, std::move(attributes),
        absl::StrCat(replaced_.name(), "/", op.type, "_", added_.size()));
    if (node.ok()) return Adopt(*node);
    Fail(node.status());
  }
  return std::vector<Value>(std::max(1, op.outputs.min));
}

std::vector<Value> NodeBuilder::MakeAllLike(OpType type,
                                            const std::vector<Value>& inputs,
                                            const AttributeList& list) {
  const OpInfo* op = FindOp(type);
  if (op == nullptr) return {Fail(Internal("no operation ", type.type()))};
  std::unique_ptr<Attributes> attributes = op->make_attributes();
  status_.Update(CopyAttributes(replaced_.attributes(), *attributes));
  status_.Update(SetAttributes(list, *attributes));
  return MakeAll(*op, inputs, std::move(attributes));
}

Value NodeBuilder::MakeLike(OpType type, const std::vector<Value>& inputs,
                            const AttributeList& list) {
  return AsConstantIfKnown(MakeAllLike(type, inputs, list)[0]);
}

Value NodeBuilder::Make(OpType type, const std::vector<Value>& inputs,
                        const AttributeList& list) {
  const OpInfo* op = FindOp(type);
  if (op == nullptr) return Fail(Internal("no operation ", type.type()));
  std::unique_ptr<Attributes> attributes = op->make_attributes();
  status_.Update(SetAttributes(list, *attributes));
  return AsConstantIfKnown(MakeAll(*op, inputs, std::move(attributes))[0]);
}

Value NodeBuilder::AsConstantIfKnown(Value value) {
  if (!value || value.node->output_count() != 1 || value.node->Is("Constant") ||
      !value.shape().is_static()) {
    return value;
  }
  const auto ints = KnownInts(value);
  if (!ints.has_value() || !AreExact(*ints)) return value;
  const std::vector<double> numbers(ints->begin(), ints->end());
  auto tensor =
      Tensor::FromDoubles(value.type(), *value.shape().ToShape(), numbers);
  // Inference does not know that integers wrap.
  return tensor.ok() && ToInt64Vector(*tensor) == *ints ? Constant(*tensor)
                                                        : value;
}

void NodeBuilder::RemoveUnused(const std::vector<Value>& kept) {
  for (auto it = added_.rbegin(); it != added_.rend(); ++it) {
    const bool is_kept =
        std::any_of(kept.begin(), kept.end(),
                    [&](Value value) { return value.node == *it; });
    if (is_kept || (*it)->has_uses()) continue;
    model_.RemoveNode(*it);
    *it = nullptr;
  }
  added_.erase(std::remove(added_.begin(), added_.end(), nullptr),
               added_.end());
}

// ---- Constants ----

Value NodeBuilder::Constant(const Tensor& tensor) {
  const OpInfo* op = FindOp("Constant");
  auto attributes = std::make_unique<ConstantAttributes>();
  attributes->value = tensor;
  return MakeAll(*op, {}, std::move(attributes))[0];
}

Value NodeBuilder::Number(ElementType type, double value) {
  auto tensor = Tensor::FromDoubles(type, Shape(), {value});
  return tensor.ok() ? Constant(*tensor) : Fail(tensor.status());
}

Value NodeBuilder::Int(int64_t value) { return IntsOf(Shape(), {value}); }

Value NodeBuilder::Ints(const std::vector<int64_t>& values) {
  return IntsOf({static_cast<int64_t>(values.size())}, values);
}

Value NodeBuilder::IntsOf(const Shape& shape,
                          const std::vector<int64_t>& values) {
  auto tensor = Tensor::FromValues<int64_t>(shape, values);
  return tensor.ok() ? Constant(*tensor) : Fail(tensor.status());
}

// ---- Arithmetic ----

Value NodeBuilder::ToValue(const Operand& operand, const Operand& other) {
  if (operand.value || !other.value) return operand.value;
  return Number(other.value.type(), operand.number);
}

Value NodeBuilder::Binary(OpType type, Operand a, Operand b) {
  const Value left = ToValue(a, b), right = ToValue(b, a);
  return Make(type, {left, right});
}

Value NodeBuilder::Select(Value condition, Operand a, Operand b) {
  const Value then = ToValue(a, b), otherwise = ToValue(b, a);
  return Make("Select", {condition, then, otherwise});
}

Value NodeBuilder::Convert(Value x, ElementType type) {
  if (x.type() == type) return x;
  return Make("Convert", {x}, {{"destination_type", type}});
}

Value NodeBuilder::MatMul(Value a, Value b, bool transpose_a,
                          bool transpose_b) {
  return Make("MatMul", {a, b},
              {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}});
}

Value NodeBuilder::Reduce(OpType type, Value x,
                          const std::vector<int64_t>& axes, bool keep_dims) {
  return ReduceAlong(type, x, Ints(axes), keep_dims);
}

Value NodeBuilder::ReduceAlong(OpType type, Value x, Value axes,
                               bool keep_dims) {
  return Make(type, {x, axes}, {{"keep_dims", keep_dims}});
}

// ---- Shapes ----

Value NodeBuilder::ShapeOf(Value x) {
  return Make("ShapeOf", {x}, {{"output_type", ElementType::kI64}});
}

Value NodeBuilder::Dims(Value x, int begin, int end) {
  const PartialShape& shape = x.shape();
  if (shape.rank_known()) {
    // What is known of these extents is enough, whatever the others are.
    const int first = begin < 0 ? begin + shape.rank() : begin;
    const int last = std::min(shape.rank(), end < 0 ? end + shape.rank() : end);
    std::vector<int64_t> known;
    for (int i = std::max(0, first); i < last; ++i) {
      if (shape[i].is_static()) known.push_back(shape[i].value());
    }
    if (static_cast<int>(known.size()) == last - first) return Ints(known);
  }
  return Slice(ShapeOf(x), 0, begin, end);
}

Value NodeBuilder::Counting(Value end, int64_t step) {
  return Make("Range", {Int(0), ReshapeTo(end, {}), Int(step)},
              {{"output_type", ElementType::kI64}});
}

Value NodeBuilder::Product(Value vector) {
  return Reduce("ReduceProd", vector, {0});
}

// ---- Movement ----

Value NodeBuilder::Concat(const std::vector<Value>& values, int64_t axis) {
  return values.size() == 1 ? values[0]
                            : Make("Concat", values, {{"axis", axis}});
}

Value NodeBuilder::Gather(Value x, Value indices, int64_t axis) {
  return Make("Gather", {x, indices, Int(axis)});
}

Value NodeBuilder::Slice(Value x, int64_t axis, int64_t begin, int64_t end,
                         int64_t step) {
  constexpr int64_t kFarthest = std::numeric_limits<int64_t>::max();
  return Slice(x, axis, Ints({begin}), Ints({end == kEnd ? kFarthest : end}),
               step);
}

Value NodeBuilder::Slice(Value x, int64_t axis, Value begin, Value end,
                         int64_t step) {
  return Make("Slice", {x, begin, end, Ints({step}), Ints({axis})});
}

Value NodeBuilder::Reshape(Value x, Value shape) {
  return Make("Reshape", {x, shape}, {{"special_zero", false}});
}

Value NodeBuilder::Transpose(Value x, const std::vector<int64_t>& order) {
  return Make("Transpose", {x, Ints(order)});
}

Value NodeBuilder::Unsqueeze(Value x, const std::vector<int64_t>& axes) {
  return Make("Unsqueeze", {x, Ints(axes)});
}

Value NodeBuilder::Squeeze(Value x, const std::vector<int64_t>& axes) {
  return Make("Squeeze", {x, Ints(axes)});
}

Value NodeBuilder::Broadcast(Value x, Value shape) {
  return Make("Broadcast", {x, shape}, {{"mode", "numpy"}});
}

}  // namespace dovetail
