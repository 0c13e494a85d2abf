#include "dovetail/core/ops/control/body_bindings.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

class Resolver {
 public:
  Resolver(const Node& node, const Body& body)
      : node_(node),
        body_(body),
        parameters_(static_cast<int>(body.model->parameters().size())),
        results_(static_cast<int>(body.model->results().size())),
        sources_(parameters_) {}

  absl::StatusOr<std::vector<ParameterSource>> Run() {
    DOVETAIL_RETURN_IF_ERROR(ReadInputs());
    DOVETAIL_RETURN_IF_ERROR(ReadBackEdges());
    DOVETAIL_RETURN_IF_ERROR(CheckFed());
    DOVETAIL_RETURN_IF_ERROR(CheckOutputs());
    return std::move(sources_);
  }

 private:
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return InvalidArgument(node_.Describe(), ": the body's ", parts...);
  }

  absl::Status CheckIndex(absl::string_view what, int index, int count) const {
    if (index >= 0 && index < count) return absl::OkStatus();
    return Error("bindings name ", what, " ", index, ", of which there are ",
                 count);
  }

  absl::Status ReadInputs() {
    for (const BodyInput& binding : body_.inputs) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckIndex("input", binding.input, node_.input_count()));
      DOVETAIL_RETURN_IF_ERROR(
          CheckIndex("parameter", binding.parameter, parameters_));
      ParameterSource& source = sources_[binding.parameter];
      if (source.input != nullptr) {
        return Error("parameter ", binding.parameter, " is fed by two inputs");
      }
      source.input = &binding;
    }
    const int iteration = body_.current_iteration_parameter;
    if (iteration == -1) return absl::OkStatus();
    DOVETAIL_RETURN_IF_ERROR(CheckIndex("parameter", iteration, parameters_));
    sources_[iteration] = ParameterSource{};
    sources_[iteration].is_iteration = true;
    return absl::OkStatus();
  }

  absl::Status ReadBackEdges() {
    for (const BackEdge& edge : body_.back_edges) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckIndex("parameter", edge.parameter, parameters_));
      DOVETAIL_RETURN_IF_ERROR(CheckIndex("result", edge.result, results_));
      ParameterSource& source = sources_[edge.parameter];
      if (source.back_edge_result >= 0 || source.is_iteration) {
        return Error("parameter ", edge.parameter,
                     " is fed by two back edges or by the iteration's number");
      }
      // As in OpenVINO, parts of an input come before what goes round.
      if (source.is_sliced()) continue;
      source.back_edge_result = edge.result;
    }
    return absl::OkStatus();
  }

  absl::Status CheckFed() const {
    for (int i = 0; i < parameters_; ++i) {
      if (sources_[i].input != nullptr || sources_[i].is_iteration) continue;
      const Node& parameter = *body_.model->parameters()[i];
      if (sources_[i].back_edge_result < 0 && !parameter.has_uses()) continue;
      return Error("parameter ", i, " '", parameter.name(),
                   "' is given no value for the first iteration");
    }
    return absl::OkStatus();
  }

  // Every output has one result, so there are as many as bindings.
  absl::Status CheckOutputs() const {
    const int count = static_cast<int>(body_.outputs.size());
    std::vector<bool> given(count, false);
    for (const BodyOutput& binding : body_.outputs) {
      DOVETAIL_RETURN_IF_ERROR(CheckIndex("output", binding.output, count));
      DOVETAIL_RETURN_IF_ERROR(CheckIndex("result", binding.result, results_));
      if (given[binding.output]) {
        return Error("results are two for output ", binding.output);
      }
      given[binding.output] = true;
    }
    if (body_.execution_condition_result == -1) return absl::OkStatus();
    return CheckIndex("result", body_.execution_condition_result, results_);
  }

  const Node& node_;
  const Body& body_;
  const int parameters_, results_;
  std::vector<ParameterSource> sources_;
};

}  // namespace

absl::StatusOr<const Body*> BodyOf(const Node& node, int index, int count) {
  if (static_cast<int>(node.bodies().size()) != count) {
    return InvalidArgument(node.Describe(), ": has ", node.bodies().size(),
                           " bodies, want ", count);
  }
  const Body* body = node.bodies()[index].get();
  if (body == nullptr || body->model == nullptr) {
    return InvalidArgument(node.Describe(), ": body ", index, " is empty");
  }
  return body;
}

absl::StatusOr<std::vector<ParameterSource>> ResolveBindings(const Node& node,
                                                             const Body& body) {
  return Resolver(node, body).Run();
}

const OutputPort& ResultPort(const Body& body, int result) {
  const Node& node = *body.model->results()[result];
  const Value value = node.input_count() == 1 ? node.input(0) : Value{};
  return value.port();
}

absl::Status DeclareParameter(Node& parameter, ElementType type,
                              const PartialShape& shape) {
  auto* attributes = parameter.As<ParameterAttributes>();
  if (attributes == nullptr) {
    return Internal(parameter.Describe(), ": is not a parameter");
  }
  if (type != ElementType::kDynamic) attributes->element_type = type;
  attributes->shape = shape;
  return absl::OkStatus();
}

}  // namespace dovetail
