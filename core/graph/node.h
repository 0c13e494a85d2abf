// A node of a model: one operation applied to the outputs of other nodes.
#ifndef DOVETAIL_CORE_GRAPH_NODE_H_
#define DOVETAIL_CORE_GRAPH_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/graph/rt_info.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

class Model;
class Node;
struct Body;
struct OutputPort;

// One output of one node: what an input is connected to. A small value; valid
// as long as the node is in its model.
struct Value {
  Node* node = nullptr;
  int index = 0;

  explicit operator bool() const { return node != nullptr; }
  // Of the empty Value: a port of which nothing is known, only to be read.
  const OutputPort& port() const;
  OutputPort& port();
  ElementType type() const;
  const PartialShape& shape() const;

  friend bool operator==(const Value& a, const Value& b) {
    return a.node == b.node && a.index == b.index;
  }
  friend bool operator!=(const Value& a, const Value& b) { return !(a == b); }
  friend bool operator<(const Value& a, const Value& b);  // by node id
};

// One input of one node: who reads a value.
struct Use {
  Node* node;
  int input;
  friend bool operator==(const Use&, const Use&) = default;
};

struct OutputPort {
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
  // What is known of the elements before running; see value_range.h.
  std::optional<ValueRange> value;
  // Names of the tensor, by which users address inputs and outputs.
  std::set<std::string> names;
  RtInfo rt_info;
  // Kept by Node::SetInput and Model.
  std::vector<Use> uses;
};

// Made and owned by a Model. Threads: as for a container.
class Node {
 public:
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  const OpInfo& op() const { return *op_; }
  // Whether it is "Gelu", in any version, or "Gelu-7". What an extension brings
  // is neither, even by the same name: nobody knows what it computes.
  bool Is(OpType type) const {
    return type.Matches(op_->type, op_->version) && op_->custom_opset.empty();
  }
  // Another row for the same operation, which takes the same attributes, inputs
  // and outputs: one with another kernel.
  void set_op(const OpInfo& op) { op_ = &op; }

  // Unique in the model and never used again; grows in order of creation.
  int64_t id() const { return id_; }
  // The friendly name: what messages and profiles call it. Not empty, not
  // necessarily unique.
  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) {
    name_.assign(name.data(), name.size());
  }

  int input_count() const { return static_cast<int>(inputs_.size()); }
  // The value connected to an input; its node is null only for an input that
  // has been left open while a model is being built.
  Value input(int i) const { return inputs_[i]; }
  const std::vector<Value>& inputs() const { return inputs_; }
  // Connects an input to another value of the same model. The empty Value, or a
  // port that its node does not have, leaves the input open.
  void SetInput(int i, Value value);
  void AddInput(Value value);
  // Removes the last inputs until `count` are left.
  void TruncateInputs(int count);

  int output_count() const { return static_cast<int>(outputs_.size()); }
  Value output(int i = 0) { return Value{this, i}; }
  const OutputPort& port(int i = 0) const { return outputs_[i]; }
  OutputPort& port(int i = 0) { return outputs_[i]; }
  // Adds or removes ports at the end; ports in use, and those before them,
  // stay.
  void SetOutputCount(int count);
  // Whether anything reads any output.
  bool has_uses() const;
  // Whether a run of the model has to run it: it is read, or does something
  // besides giving outputs.
  bool is_needed() const { return has_uses() || op_->Has(kHasSideEffect); }

  const Attributes& attributes() const { return *attributes_; }
  Attributes& attributes() { return *attributes_; }
  void set_attributes(std::unique_ptr<Attributes> attributes) {
    attributes_ = std::move(attributes);
  }
  // The attributes as the operation's own struct; null when T is another one.
  template <typename T>
  const T* As() const {
    return attributes_->type_name() == internal::TypeName<T>()
               ? static_cast<const T*>(attributes_.get())
               : nullptr;
  }
  template <typename T>
  T* As() {
    return const_cast<T*>(std::as_const(*this).As<T>());
  }

  // Sub-graphs of If (then, else), Loop and TensorIterator (one); see body.h.
  const std::vector<std::unique_ptr<Body>>& bodies() const { return bodies_; }
  std::vector<std::unique_ptr<Body>>& bodies() { return bodies_; }

  const RtInfo& rt_info() const { return rt_info_; }
  RtInfo& rt_info() { return rt_info_; }

  // "layer 'conv1' (Convolution-1)": how messages name it.
  std::string Describe() const;

  // Infers types, shapes and values of the outputs from the inputs as they are
  // now. kUnimplemented when the operation has no inference yet; every error
  // begins with Describe(). `outputs` keep their names and rt_info.
  absl::Status Infer();

 private:
  friend class Model;
  Node(const OpInfo* op, int64_t id, std::string name,
       std::unique_ptr<Attributes> attributes);

  const OpInfo* op_;
  int64_t id_;
  std::string name_;
  std::vector<Value> inputs_;
  std::vector<OutputPort> outputs_;
  std::unique_ptr<Attributes> attributes_;
  std::vector<std::unique_ptr<Body>> bodies_;
  RtInfo rt_info_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_NODE_H_
