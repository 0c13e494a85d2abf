#include "dovetail/transformations/low_precision/move_dequantization.h"

#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"
#include "dovetail/transformations/low_precision/analysis/transparent.h"
#include "dovetail/transformations/low_precision/replace.h"

namespace dovetail {
namespace {

struct Inputs {
  std::vector<Value> integers;
  QuantizationParams params;
};

std::optional<Inputs> IntegerInputs(const Node& node) {
  Inputs inputs;
  for (int i = 0; i < TransparentInputs(node); ++i) {
    const auto found = MatchDequantization(node.input(i));
    if (!found.has_value()) return std::nullopt;
    if (i == 0) inputs.params = found->params;
    if (!SameParams(inputs.params, found->params)) return std::nullopt;
    inputs.integers.push_back(found->integers);
  }
  if (inputs.integers.empty() || !KeepsParams(node, inputs.params)) return {};
  return inputs;
}

bool IsWanted(const IntegerFlow& flow, Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    const IntegerFlow::Entry* entry = flow.Find(node.output(i));
    if (entry != nullptr && entry->is_wanted) return true;
  }
  return false;
}

absl::Status MoveBehind(Model& model, Node& node, const Inputs& inputs) {
  NodeBuilder b(model, node);
  std::vector<Value> outputs =
      MakeOfIntegers(b, inputs.integers, inputs.params);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!b.status().ok()) return b.status();
    if (IsTransparentOutput(node, static_cast<int>(i))) {
      outputs[i] = Dequantize(b, outputs[i], inputs.params);
    }
  }
  return ReplaceByAdded(b, node, outputs);
}

absl::StatusOr<bool> MoveIn(Model& model, const LowPrecisionOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const IntegerFlow flow,
                            IntegerFlow::Of(model, options));
  bool changed = false;
  for (Node* node : flow.order()) {
    if (TransparentInputs(*node) == 0 || !IsWanted(flow, *node)) continue;
    const std::optional<Inputs> inputs = IntegerInputs(*node);
    if (!inputs.has_value()) continue;
    DOVETAIL_RETURN_IF_ERROR(MoveBehind(model, *node, *inputs));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> MoveDequantization::Run(Model& model) {
  return ForEachModel(model,
                      [this](Model& each) { return MoveIn(each, options_); });
}

}  // namespace dovetail
