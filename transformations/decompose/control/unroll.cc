// Loop and TensorIterator of a known number of iterations.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/ops/control/loop.h"
#include "dovetail/core/ops/control/slices.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/control/inline_body.h"
#include "dovetail/transformations/decompose/control/rules.h"
#include "dovetail/transformations/decompose/control/unroll_loops.h"

namespace dovetail {
namespace {

// The parts of a sliced input; nothing while its extent is not known.
std::optional<Parts> PartsOf(const Node& node, const BodyInput& binding) {
  const PartialShape& shape = node.input(binding.input).shape();
  if (!shape.rank_known()) return std::nullopt;
  int64_t axis = binding.slicing->axis;
  if (axis < 0) axis += shape.rank();
  if (axis < 0 || axis >= shape.rank() ||
      !shape[static_cast<int>(axis)].is_static()) {
    return std::nullopt;
  }
  const auto parts =
      CutIntoParts(*binding.slicing, shape[static_cast<int>(axis)].value());
  return parts.ok() ? std::optional<Parts>(*parts) : std::nullopt;
}

// The fewest parts of all sliced inputs.
struct Limit {
  bool is_known = true;
  std::optional<int64_t> parts;
};

Limit LimitOf(const Node& node, const Body& body) {
  Limit limit;
  for (const BodyInput& binding : body.inputs) {
    if (!binding.slicing.has_value()) continue;
    const auto parts = PartsOf(node, binding);
    if (!parts.has_value()) return {false, std::nullopt};
    limit.parts =
        std::min(limit.parts.value_or(parts->count), parts->count);
  }
  return limit;
}

// Copies of a body, one after the other.
class Unroller {
 public:
  Unroller(NodeBuilder& b, const Node& node, const Body& body,
           const std::vector<ParameterSource>& sources)
      : b_(b), node_(node), body_(body), sources_(sources) {}

  Replacement Run(int64_t iterations) {
    std::vector<std::vector<Value>> results;
    for (int64_t i = 0; i < iterations && b_.status().ok(); ++i) {
      const std::vector<Value>* before =
          results.empty() ? nullptr : &results.back();
      results.push_back(InlineBody(b_, *body_.model, Parameters(i, before)));
    }
    Replacement outputs(node_.output_count());
    for (const BodyOutput& binding : body_.outputs) {
      outputs[binding.output] = binding.slicing.has_value()
                                    ? ConcatSlices(results, binding)
                                    : results.back()[binding.result];
    }
    return outputs;
  }

 private:
  std::vector<Value> Parameters(int64_t iteration,
                                const std::vector<Value>* before) {
    std::vector<Value> parameters(sources_.size());
    for (size_t i = 0; i < sources_.size(); ++i) {
      const ParameterSource& source = sources_[i];
      if (source.is_iteration) {
        parameters[i] = IterationNumber(static_cast<int>(i), iteration);
      } else if (source.is_sliced()) {
        parameters[i] = Part(*source.input, iteration);
      } else if (source.back_edge_result >= 0 && before != nullptr) {
        parameters[i] = (*before)[source.back_edge_result];
      } else if (source.input != nullptr) {
        parameters[i] = b_.input(source.input->input);
      }
    }
    return parameters;
  }

  Value IterationNumber(int parameter, int64_t iteration) {
    const Node& node = *body_.model->parameters()[parameter];
    const Value number =
        b_.Number(node.port().type, static_cast<double>(iteration));
    return node.port().shape.Contains(Shape()) ? number
                                               : b_.Unsqueeze(number, {0});
  }

  Value Part(const BodyInput& binding, int64_t iteration) {
    const auto parts = PartsOf(node_, binding);
    if (!parts.has_value()) return {};
    const int64_t begin = parts->first + iteration * parts->step;
    const int64_t size = binding.slicing->part_size;
    return b_.Slice(b_.input(binding.input), binding.slicing->axis, begin,
                    begin + size);
  }

  // In the order of the iterations, or, for a negative stride, from the last.
  // Scalars become a vector.
  Value ConcatSlices(const std::vector<std::vector<Value>>& results,
                     const BodyOutput& binding) {
    std::vector<Value> parts;
    for (const auto& result : results) parts.push_back(result[binding.result]);
    if (binding.slicing->stride < 0) std::reverse(parts.begin(), parts.end());
    const PartialShape& shape = parts[0].shape();
    if (!shape.rank_known()) return {};
    if (shape.rank() > 0) return b_.Concat(parts, binding.slicing->axis);
    for (Value& part : parts) part = b_.Unsqueeze(part, {0});
    return b_.Concat(parts, 0);
  }

  NodeBuilder& b_;
  const Node& node_;
  const Body& body_;
  const std::vector<ParameterSource>& sources_;
};

Replacement Unroll(NodeBuilder& b, const Node& node) {
  const auto iterations = KnownIterations(node);
  if (!iterations.has_value() || *iterations < 1 ||
      *iterations > kMaxUnrolled) {
    return {};
  }
  const Body& body = *node.bodies()[0];
  const auto sources = ResolveBindings(node, body);
  if (!sources.ok() || !CanInline(*body.model)) return {};
  return Unroller(b, node, body, *sources).Run(*iterations);
}

constexpr absl::string_view kFormula = "one copy of the body an iteration";

constexpr NodeRule kRules[] = {
    {"Loop", 5, kFormula, &Unroll},
    {"TensorIterator", 0, kFormula, &Unroll},
};

}  // namespace

std::optional<int64_t> KnownIterations(const Node& node) {
  const bool is_loop = node.Is("Loop");
  if ((!is_loop && !node.Is("TensorIterator")) || node.bodies().size() != 1) {
    return std::nullopt;
  }
  const Body& body = *node.bodies()[0];
  const Limit limit = LimitOf(node, body);
  if (!limit.is_known) return std::nullopt;
  if (!is_loop) return limit.parts.value_or(1);
  const auto trips = KnownInt(node.input(0));
  const auto starts = KnownTruth(node.input(1));
  if (!trips.has_value() || !starts.has_value()) return std::nullopt;
  if (!*starts) return 0;
  if (!AlwaysGoesOn(body)) return std::nullopt;
  if (*trips < 0) return limit.parts;
  // More than there are parts is an error, which running the loop tells.
  if (*trips > limit.parts.value_or(*trips)) return std::nullopt;
  return *trips;
}

absl::Span<const NodeRule> UnrollRules() { return kRules; }

}  // namespace dovetail
