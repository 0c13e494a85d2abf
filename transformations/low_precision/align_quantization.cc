#include "dovetail/transformations/low_precision/align_quantization.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {
namespace {

// The integers of `to` that the range of `from` spans.
struct Span {
  int64_t low = 0, levels = 0;
};

Span SpanIn(const QuantizationParams& from, const QuantizationParams& to) {
  const float ratio = from.scale[0] / to.scale[0];
  const float zero = from.zero_point[0];
  const auto nearest = [&](float steps) {
    return int64_t{std::lround(
        std::clamp(steps * ratio + to.zero_point[0], 0.0f, 255.0f))};
  };
  const int64_t low = nearest(-zero);
  int64_t levels = nearest(255 - zero) - low + 1;
  // A little more room where the formula would not give integers.
  while (!GivesIntegers(levels) && low + levels <= 255) ++levels;
  while (!GivesIntegers(levels)) --levels;
  return {low, levels};
}

// FakeQuantize that changes nothing but the precision, and is read only here.
bool IsOwn(Value value) {
  const Node& node = *value.node;
  if (!node.Is("FakeQuantize") || value.port().uses.size() != 1) return false;
  for (const int end : {1, 2}) {
    const Tensor* in = ConstantOf(node.input(end));
    const Tensor* out = ConstantOf(node.input(end + 2));
    if (in == nullptr || out == nullptr || !in->Equals(*out)) return false;
  }
  return true;
}

absl::Status Align(Model& model, Node& concat, int i,
                   const QuantizationParams& from,
                   const QuantizationParams& to) {
  const Value value = concat.input(i);
  const Value source = IsOwn(value) ? value.node->input(0) : value;
  const Span span = SpanIn(from, to);
  const auto number = [&](int64_t q) {
    return (static_cast<float>(q) - to.zero_point[0]) * to.scale[0];
  };
  NodeBuilder b(model, *value.node);
  const Value low = b.Number(ElementType::kF32, number(span.low));
  const Value high =
      b.Number(ElementType::kF32, number(span.low + span.levels - 1));
  const Value integers =
      Quantize(b, source, low, high, to.type, span.low, span.levels);
  const Value aligned = Dequantize(b, integers, to);
  if (!b.status().ok()) return b.status();
  concat.SetInput(i, aligned);
  if (source != value) {
    aligned.node->set_name(value.node->name());
    model.RemoveNode(value.node);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> AlignIn(Model& model, const LowPrecisionOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const IntegerFlow flow,
                            IntegerFlow::Of(model, options));
  bool changed = false;
  for (Node* node : flow.order()) {
    if (!node->Is("Concat")) continue;
    const IntegerFlow::Entry* joined = flow.Find(node->output());
    if (joined == nullptr || !joined->is_wanted) continue;
    for (int i = 0; i < node->input_count(); ++i) {
      const IntegerFlow::Entry* input = flow.Find(node->input(i));
      if (input == nullptr || SameParams(input->params, joined->params))
        continue;
      DOVETAIL_RETURN_IF_ERROR(
          Align(model, *node, i, input->params, joined->params));
      changed = true;
    }
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> AlignQuantization::Run(Model& model) {
  if (!options_.align_quantization) return false;
  return ForEachModel(model,
                      [this](Model& each) { return AlignIn(each, options_); });
}

}  // namespace dovetail
