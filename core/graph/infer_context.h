// View of a node that an operation has while it infers: types, shapes and known
// values of the inputs, the attributes; and where it puts the outputs. The same
// inference serves the graph (intervals, nothing known of most elements) and a
// running kernel (exact shapes, every element there).
#ifndef DOVETAIL_CORE_GRAPH_INFER_CONTEXT_H_
#define DOVETAIL_CORE_GRAPH_INFER_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

struct InferredInput {
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
  const ValueRange* value = nullptr;  // what is known of small tensors
  const Tensor* tensor = nullptr;     // all elements, when they are there
};

struct InferredOutput {
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
  std::optional<ValueRange> value;
};

class InferContext {
 public:
  // For a node of a graph: inputs from the ports that it is connected to.
  explicit InferContext(Node& node);
  // For a running kernel: inputs from tensors, which must outlive the context.
  InferContext(const Node& node, absl::Span<const Tensor> inputs);

  const Node& node() const { return node_; }
  // The operation's attributes. T must be the struct that its OpInfo makes.
  template <typename T>
  const T& attributes() const {
    return *node_.As<T>();
  }
  // The bodies, to infer them in place; null while running.
  std::vector<std::unique_ptr<Body>>* mutable_bodies() const {
    return mutable_bodies_;
  }

  // Whether known elements of outputs are of use: while a graph is inferred,
  // but not while a kernel runs, which computes them anyway.
  bool wants_values() const { return mutable_bodies_ != nullptr; }

  int input_count() const { return static_cast<int>(inputs_.size()); }
  bool has_input(int i) const { return i < input_count(); }
  ElementType type(int i) const { return inputs_[i].type; }
  const PartialShape& shape(int i) const { return inputs_[i].shape; }
  // Known intervals of the elements; null when nothing is known.
  const ValueRange* value(int i) const;
  // All elements of an input as integers, when each is known exactly.
  std::optional<std::vector<int64_t>> ints(int i) const;
  // The same for a single element.
  std::optional<int64_t> scalar_int(int i) const;
  std::optional<std::vector<double>> doubles(int i) const;
  // The constant or run-time tensor itself; null when not there.
  const Tensor* tensor(int i) const { return inputs_[i].tensor; }

  // Outputs. There are as many as the operation has at least; operations with
  // a varying number set it first.
  void SetOutputCount(int count) { outputs_.resize(count); }
  int output_count() const { return static_cast<int>(outputs_.size()); }
  void SetOutput(int i, ElementType type, PartialShape shape) {
    outputs_[i].type = type;
    outputs_[i].shape = std::move(shape);
  }
  // Notes what is known of an output's elements, of which there must be as many
  // as its shape says; else, and when there are too many, nothing is noted.
  void SetValue(int i, ValueRange value);
  std::vector<InferredOutput>& outputs() { return outputs_; }

  // kInvalidArgument that begins with the node's description.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return InvalidArgument(node_.Describe(), ": ", parts...);
  }

 private:
  const Node& node_;
  std::vector<std::unique_ptr<Body>>* mutable_bodies_ = nullptr;
  std::vector<InferredInput> inputs_;
  // Ranges made on demand from tensors, one an input.
  mutable std::vector<std::optional<ValueRange>> ranges_;
  std::vector<InferredOutput> outputs_;
};

// Infers by the operation's own function, which must be there, with the check
// of element types that its row asks for (OpTypes). The one way to call it.
absl::Status InferOutputs(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_INFER_CONTEXT_H_
