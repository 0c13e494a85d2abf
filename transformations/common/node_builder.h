// Adds the nodes of a formula to a model, so that the code reads like the
// formula:
//
//   // x * 0.5 * (1 + erf(x / sqrt(2)))
//   const Value x = b.input(0);
//   const Value bell = b.Make("Erf", {b.Divide(x, std::sqrt(2.0))});
//   return {b.Multiply(b.Multiply(x, 0.5), b.Add(bell, 1.0))};
//
// The first error is kept, and what is made of an empty Value is one: formulas
// need not look for errors on the way.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_NODE_BUILDER_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_NODE_BUILDER_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/common/attribute_list.h"

namespace dovetail {

// A value, or a number that becomes a scalar of the other operand's type.
struct Operand {
  Operand(Value value) : value(value) {}      // NOLINT: so that formulas are
  Operand(double number) : number(number) {}  // NOLINT: short
  Value value;
  double number = 0;
};

class NodeBuilder {
 public:
  // As the end of a range: that of what it is a range of.
  static constexpr int kEnd = std::numeric_limits<int>::max();

  // Nodes go to `model`, and stand for the same layers as `replaced`, which is
  // in that model. Both have to outlive the builder.
  NodeBuilder(Model& model, const Node& replaced)
      : model_(model), replaced_(replaced) {}

  // ---- The node whose formula it is ----

  const Node& node() const { return replaced_; }
  Model& model() { return model_; }
  int input_count() const { return replaced_.input_count(); }
  // The empty Value for an input that there is not.
  Value input(int i) const {
    return i < replaced_.input_count() ? replaced_.input(i) : Value{};
  }
  // Type of the first input; dynamic without any.
  ElementType type() const { return input(0).type(); }

  // ---- Any node ----

  // The newest version of an operation, with these attributes, the others by
  // default; its first output. Integers that inference finds out become a
  // constant at once, so that formulas of static shapes hold no ShapeOf.
  Value Make(OpType type, const std::vector<Value>& inputs,
             const AttributeList& attributes = {});
  // The same with the attributes that the replaced node has under the same
  // names; `attributes` go before them.
  Value MakeLike(OpType type, const std::vector<Value>& inputs,
                 const AttributeList& attributes = {});
  // All outputs, of any row of a table of operations; as many empty Values as
  // the operation has outputs at least after an error.
  std::vector<Value> MakeAll(const OpInfo& op, const std::vector<Value>& inputs,
                             std::unique_ptr<Attributes> attributes);
  // Attributes as MakeLike has them.
  std::vector<Value> MakeAllLike(OpType type, const std::vector<Value>& inputs,
                                 const AttributeList& attributes = {});
  // Outputs of a node that the caller has added to the model.
  std::vector<Value> Adopt(Node* node);

  // ---- Constants ----

  Value Constant(const Tensor& tensor);
  Value Number(ElementType type, double value);    // []
  Value Int(int64_t value);                        // i64 []
  Value Ints(const std::vector<int64_t>& values);  // i64 [n]

  // ---- Arithmetic, with NumPy's broadcasting ----

  Value Binary(OpType type, Operand a, Operand b);
  Value Add(Operand a, Operand b) { return Binary("Add", a, b); }
  Value Subtract(Operand a, Operand b) { return Binary("Subtract", a, b); }
  Value Multiply(Operand a, Operand b) { return Binary("Multiply", a, b); }
  Value Divide(Operand a, Operand b) { return Binary("Divide", a, b); }
  Value Power(Operand a, Operand b) { return Binary("Power", a, b); }
  Value Maximum(Operand a, Operand b) { return Binary("Maximum", a, b); }
  Value Minimum(Operand a, Operand b) { return Binary("Minimum", a, b); }
  Value Select(Value condition, Operand a, Operand b);
  // The same value when it has that type.
  Value Convert(Value x, ElementType type);
  Value MatMul(Value a, Value b, bool transpose_a = false,
               bool transpose_b = false);
  // "ReduceSum" and the like. Axes stay with extent 1 unless told otherwise.
  Value Reduce(OpType type, Value x, const std::vector<int64_t>& axes,
               bool keep_dims = true);
  Value ReduceAlong(OpType type, Value x, Value axes, bool keep_dims = true);

  // ---- Shapes: vectors of i64 ----

  Value ShapeOf(Value x);
  // Extents begin … end - 1 of x, as a vector; both count from the end when
  // negative.
  Value Dims(Value x, int begin, int end = kEnd);
  Value Dim(Value x, int axis) {  // [1]
    return Dims(x, axis, axis == -1 ? kEnd : axis + 1);
  }
  // 0, 1, … up to an end that is not among them, a vector of one.
  Value Counting(Value end, int64_t step = 1);
  // The product of a vector's elements, as a vector of one.
  Value Product(Value vector);

  // ---- Movement ----

  // One after another; empty ones may be left out by the caller.
  Value Concat(const std::vector<Value>& values, int64_t axis = 0);
  Value Gather(Value x, Value indices, int64_t axis);
  // Elements begin, begin + step, … before end along one axis, as Slice does.
  Value Slice(Value x, int64_t axis, int64_t begin, int64_t end,
              int64_t step = 1);
  Value Slice(Value x, int64_t axis, Value begin, Value end,  // vectors of one
              int64_t step = 1);
  Value Reshape(Value x, Value shape);
  Value ReshapeTo(Value x, const std::vector<int64_t>& shape) {
    return Reshape(x, Ints(shape));
  }
  Value Transpose(Value x, const std::vector<int64_t>& order);
  Value Unsqueeze(Value x, const std::vector<int64_t>& axes);
  Value Squeeze(Value x, const std::vector<int64_t>& axes);
  Value Broadcast(Value x, Value shape);

  // ---- For who applies the formula ----

  // The first error.
  const absl::Status& status() const { return status_; }
  // Takes an error over from elsewhere, such as the builder of a body.
  void Update(const absl::Status& status) { status_.Update(status); }
  // Nodes in order of addition.
  const std::vector<Node*>& added() const { return added_; }
  // Removes those of them that nobody reads, but those of `kept`.
  void RemoveUnused(const std::vector<Value>& kept);

 private:
  Value Fail(absl::Status status);
  Value IntsOf(const Shape& shape, const std::vector<int64_t>& values);
  Value AsConstantIfKnown(Value value);
  Value ToValue(const Operand& operand, const Operand& other);

  Model& model_;
  const Node& replaced_;
  std::vector<Node*> added_;
  absl::Status status_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_NODE_BUILDER_H_
