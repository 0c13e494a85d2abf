// The part of Model that compares: equality with a reason, and a hash.
#include <unordered_map>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/model/order.h"

namespace dovetail {
namespace {

using Positions = std::unordered_map<const Node*, int>;

Positions PositionsOf(const std::vector<Node*>& order) {
  Positions positions;
  for (size_t i = 0; i < order.size(); ++i) {
    positions[order[i]] = static_cast<int>(i);
  }
  return positions;
}

// A producer's position; -1 for an input that is not connected or strange.
int PositionOf(const Positions& positions, const Node* node) {
  const auto found = positions.find(node);
  return found == positions.end() ? -1 : found->second;
}

template <typename T>
absl::Status Same(const Node& node, absl::string_view what, const T& a,
                  const T& b) {
  if (a == b) return absl::OkStatus();
  return InvalidArgument(node.Describe(), ": ", what, " differ");
}

template <typename T>
absl::Status SameText(const Node& node, absl::string_view what, const T& a,
                      const T& b) {
  if (a == b) return absl::OkStatus();
  return InvalidArgument(node.Describe(), ": ", what, " is ", a, " and ", b);
}

absl::Status ComparePorts(const Node& a, const Node& b, bool with_rt_info) {
  DOVETAIL_RETURN_IF_ERROR(SameText(a, "number of outputs", a.output_count(),
                                    b.output_count()));
  for (int i = 0; i < a.output_count(); ++i) {
    const OutputPort &left = a.port(i), &right = b.port(i);
    const std::string output = absl::StrCat("output ", i);
    DOVETAIL_RETURN_IF_ERROR(SameText(a, "type of " + output,
                                      ElementTypeName(left.type),
                                      ElementTypeName(right.type)));
    DOVETAIL_RETURN_IF_ERROR(SameText(a, "shape of " + output,
                                      left.shape.ToString(),
                                      right.shape.ToString()));
    DOVETAIL_RETURN_IF_ERROR(
        Same(a, "tensor names of " + output, left.names, right.names));
    if (with_rt_info) {
      DOVETAIL_RETURN_IF_ERROR(
          Same(a, "rt_info of " + output, left.rt_info, right.rt_info));
    }
  }
  return absl::OkStatus();
}

absl::Status CompareBodies(const Node& a, const Node& b, bool with_rt_info) {
  DOVETAIL_RETURN_IF_ERROR(SameText(a, "number of bodies", a.bodies().size(),
                                    b.bodies().size()));
  for (size_t i = 0; i < a.bodies().size(); ++i) {
    const Body &left = *a.bodies()[i], &right = *b.bodies()[i];
    DOVETAIL_RETURN_IF_ERROR(
        Same(a, "body inputs", left.inputs, right.inputs));
    DOVETAIL_RETURN_IF_ERROR(
        Same(a, "body outputs", left.outputs, right.outputs));
    DOVETAIL_RETURN_IF_ERROR(
        Same(a, "back edges", left.back_edges, right.back_edges));
    DOVETAIL_RETURN_IF_ERROR(SameText(a, "iteration parameter",
                                      left.current_iteration_parameter,
                                      right.current_iteration_parameter));
    DOVETAIL_RETURN_IF_ERROR(SameText(a, "condition result",
                                      left.execution_condition_result,
                                      right.execution_condition_result));
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(Model::Compare(*left.model, *right.model, with_rt_info),
                 absl::StrCat(a.Describe(), ": body ", i)));
  }
  return absl::OkStatus();
}

absl::Status CompareInputs(const Node& a, const Positions& in_a, const Node& b,
                           const Positions& in_b) {
  DOVETAIL_RETURN_IF_ERROR(SameText(a, "number of inputs", a.input_count(),
                                    b.input_count()));
  for (int i = 0; i < a.input_count(); ++i) {
    const Value left = a.input(i), right = b.input(i);
    if (PositionOf(in_a, left.node) != PositionOf(in_b, right.node) ||
        left.index != right.index) {
      return InvalidArgument(
          a.Describe(), ": input ", i, " comes from ",
          left ? left.node->Describe() : "nowhere", " output ", left.index,
          " and ", right ? right.node->Describe() : "nowhere", " output ",
          right.index);
    }
  }
  return absl::OkStatus();
}

absl::Status CompareNodes(const Node& a, const Node& b, bool with_rt_info) {
  if (!(a.op() == b.op()) || a.name() != b.name()) {
    return InvalidArgument(a.Describe(), " and ", b.Describe(), " differ");
  }
  if (!Equal(a.attributes(), b.attributes())) {
    return InvalidArgument(a.Describe(), ": attributes are ",
                           ToString(a.attributes()), " and ",
                           ToString(b.attributes()));
  }
  DOVETAIL_RETURN_IF_ERROR(ComparePorts(a, b, with_rt_info));
  if (with_rt_info) {
    DOVETAIL_RETURN_IF_ERROR(Same(a, "rt_info", a.rt_info(), b.rt_info()));
  }
  return CompareBodies(a, b, with_rt_info);
}

void HashRtInfo(const RtInfo& rt_info, StableHash& hash) {
  hash.AddText(rt_info.value);
  hash.Add(rt_info.children.size());
  for (const auto& [name, child] : rt_info.children) {
    hash.AddText(name);
    HashRtInfo(child, hash);
  }
}

void HashNode(const Node& node, const Positions& positions, bool with_rt_info,
              StableHash& hash) {
  hash.AddText(node.op().type);
  hash.Add(node.op().version);
  hash.AddText(node.op().custom_opset);
  hash.AddText(node.name());
  hash.Add(Hash(node.attributes()));
  hash.Add(node.input_count());
  for (Value input : node.inputs()) {
    hash.Add(static_cast<uint64_t>(PositionOf(positions, input.node)));
    hash.Add(input.index);
  }
  hash.Add(node.output_count());
  for (int i = 0; i < node.output_count(); ++i) {
    const OutputPort& port = node.port(i);
    hash.Add(static_cast<uint64_t>(port.type));
    hash.AddShape(port.shape);
    hash.Add(port.names.size());
    for (const std::string& name : port.names) hash.AddText(name);
    if (with_rt_info) HashRtInfo(port.rt_info, hash);
  }
}

void HashBody(const Body& body, bool with_rt_info, StableHash& hash) {
  const auto add_slicing = [&hash](const std::optional<Slicing>& slicing) {
    hash.Add(slicing.has_value());
    const Slicing s = slicing.value_or(Slicing{});
    for (int64_t v : {s.axis, s.start, s.end, s.stride, s.part_size}) {
      hash.Add(static_cast<uint64_t>(v));
    }
  };
  for (const BodyInput& input : body.inputs) {
    hash.Add(input.input);
    hash.Add(input.parameter);
    add_slicing(input.slicing);
  }
  for (const BodyOutput& output : body.outputs) {
    hash.Add(output.output);
    hash.Add(output.result);
    add_slicing(output.slicing);
  }
  for (const BackEdge& edge : body.back_edges) {
    hash.Add(edge.result);
    hash.Add(edge.parameter);
  }
  hash.Add(static_cast<uint64_t>(body.current_iteration_parameter));
  hash.Add(static_cast<uint64_t>(body.execution_condition_result));
  hash.Add(body.model->Hash(with_rt_info));
}

}  // namespace

absl::Status Model::Compare(const Model& a, const Model& b,
                            bool with_rt_info) {
  if (a.name_ != b.name_) {
    return InvalidArgument("the models' names are '", a.name_, "' and '",
                           b.name_, "'");
  }
  const std::vector<Node*> left = CanonicalOrder(a), right = CanonicalOrder(b);
  const Positions in_a = PositionsOf(left), in_b = PositionsOf(right);
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(CompareNodes(*left[i], *right[i], with_rt_info));
    DOVETAIL_RETURN_IF_ERROR(CompareInputs(*left[i], in_a, *right[i], in_b));
  }
  if (left.size() != right.size()) {
    return InvalidArgument("the models have ", left.size(), " and ",
                           right.size(), " nodes");
  }
  if (with_rt_info && !(a.rt_info_ == b.rt_info_)) {
    return InvalidArgument("the models' rt_info differs");
  }
  return absl::OkStatus();
}

uint64_t Model::Hash(bool with_rt_info) const {
  StableHash hash;
  hash.AddText(name_);
  if (with_rt_info) HashRtInfo(rt_info_, hash);
  const std::vector<Node*> order = CanonicalOrder(*this);
  const Positions positions = PositionsOf(order);
  hash.Add(order.size());
  for (const Node* node : order) {
    HashNode(*node, positions, with_rt_info, hash);
    if (with_rt_info) HashRtInfo(node->rt_info(), hash);
    hash.Add(node->bodies().size());
    for (const auto& body : node->bodies()) HashBody(*body, with_rt_info, hash);
  }
  return hash.value();
}

}  // namespace dovetail
