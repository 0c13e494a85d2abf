#include "dovetail/core/graph/node.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {
namespace {

void RemoveUse(Value value, const Use& use) {
  if (!value) return;
  std::vector<Use>& uses = value.port().uses;
  const auto found = std::find(uses.begin(), uses.end(), use);
  if (found != uses.end()) uses.erase(found);
}

// A value that is there, or none: an index beyond the producer's ports must not
// become a reference beyond its vector.
Value Existing(Value value) {
  if (!value || value.index < 0 ||
      value.index >= value.node->output_count()) {
    return Value{};
  }
  return value;
}

// What has to hold before the operation's own inference looks at the node.
absl::Status CheckReady(const Node& node) {
  const OpInfo& op = node.op();
  if (op.infer == nullptr) {
    return Unimplemented(node.Describe(), ": no shape inference for ",
                         op.ToString(), " yet");
  }
  if (!op.inputs.Contains(node.input_count())) {
    return InvalidArgument(node.Describe(), ": has ", node.input_count(),
                           " inputs, takes ", op.inputs.min, " to ",
                           op.inputs.max);
  }
  for (int i = 0; i < node.input_count(); ++i) {
    if (!node.input(i)) {
      return InvalidArgument(node.Describe(), ": input ", i,
                             " is not connected");
    }
  }
  if (op.make_attributes()->type_name() != node.attributes().type_name()) {
    return Internal(node.Describe(), ": attributes are of another operation");
  }
  return absl::OkStatus();
}

}  // namespace

const OutputPort& Value::port() const {
  static const OutputPort& nothing = *new OutputPort();
  return node == nullptr ? nothing : std::as_const(*node).port(index);
}
OutputPort& Value::port() { return node->port(index); }
ElementType Value::type() const { return port().type; }
const PartialShape& Value::shape() const { return port().shape; }

bool operator<(const Value& a, const Value& b) {
  if (a.node == nullptr || b.node == nullptr) {
    return a.node == nullptr && b.node != nullptr;
  }
  if (a.node->id() != b.node->id()) return a.node->id() < b.node->id();
  return a.index < b.index;
}

Node::Node(const OpInfo* op, int64_t id, std::string name,
           std::unique_ptr<Attributes> attributes)
    : op_(op),
      id_(id),
      name_(std::move(name)),
      outputs_(op->outputs.min),
      attributes_(std::move(attributes)) {}

Node::~Node() = default;

void Node::SetInput(int i, Value value) {
  RemoveUse(inputs_[i], Use{this, i});
  inputs_[i] = Existing(value);
  if (inputs_[i]) inputs_[i].port().uses.push_back(Use{this, i});
}

void Node::AddInput(Value value) {
  inputs_.emplace_back();
  SetInput(input_count() - 1, value);
}

void Node::TruncateInputs(int count) {
  while (input_count() > std::max(count, 0)) {
    SetInput(input_count() - 1, Value{});
    inputs_.pop_back();
  }
}

void Node::SetOutputCount(int count) {
  while (output_count() > std::max(count, 0) && outputs_.back().uses.empty()) {
    outputs_.pop_back();
  }
  if (output_count() < count) outputs_.resize(count);
}

bool Node::has_uses() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [](const OutputPort& p) { return !p.uses.empty(); });
}

std::string Node::Describe() const {
  return absl::StrCat("layer '", name_, "' (", op_->ToString(), ")");
}

absl::Status Node::Infer() {
  DOVETAIL_RETURN_IF_ERROR(CheckReady(*this));
  InferContext context(*this);
  if (absl::Status status = InferOutputs(context); !status.ok()) {
    const std::string description = Describe();
    return absl::StartsWith(status.message(), description)
               ? status
               : Annotate(status, description);
  }
  const int count = context.output_count();
  if (!op_->outputs.Contains(count)) {
    return InvalidArgument(Describe(), ": would have ", count,
                           " outputs, gives ", op_->outputs.min, " to ",
                           op_->outputs.max);
  }
  SetOutputCount(count);
  if (output_count() != count) {
    return InvalidArgument(Describe(), ": output ", output_count() - 1,
                           " is read, but there are only ", count);
  }
  for (int i = 0; i < count; ++i) {
    InferredOutput& inferred = context.outputs()[i];
    outputs_[i].type = inferred.type;
    outputs_[i].shape = std::move(inferred.shape);
    outputs_[i].value = std::move(inferred.value);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
