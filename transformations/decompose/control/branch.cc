// If of a known condition.
#include <vector>

#include "dovetail/core/graph/body.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/control/inline_body.h"
#include "dovetail/transformations/decompose/control/rules.h"

namespace dovetail {
namespace {

Replacement If(NodeBuilder& b, const Node& node) {
  const auto condition = KnownTruth(b.input(0));
  if (!condition.has_value() || node.bodies().size() != 2) return {};
  const Body& body = *node.bodies()[*condition ? 0 : 1];
  if (!CanInline(*body.model)) return {};
  std::vector<Value> parameters(body.model->parameters().size());
  for (const BodyInput& binding : body.inputs) {
    parameters[binding.parameter] = b.input(binding.input);
  }
  const std::vector<Value> results = InlineBody(b, *body.model, parameters);
  Replacement outputs(node.output_count());
  for (const BodyOutput& binding : body.outputs) {
    outputs[binding.output] = results[binding.result];
  }
  return outputs;
}

constexpr NodeRule kRules[] = {
    {"If", 8, "the branch that a constant chooses", &If},
};

}  // namespace

absl::Span<const NodeRule> BranchDecompositions() { return kRules; }

}  // namespace dovetail
