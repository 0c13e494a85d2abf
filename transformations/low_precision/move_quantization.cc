#include "dovetail/transformations/low_precision/move_quantization.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {
namespace {

// How many values a movement takes together; 0: it is none of these.
int SourcesOf(const Node& node) {
  if (node.Is("Concat")) return node.input_count();
  return IsMovement(node) && node.input_count() > 0 ? 1 : 0;
}

// Whether the ranges of the FakeQuantize are numbers that leave the shape of
// `source` as it is.
bool HasOneRange(const Node& quantize, Value source) {
  for (int i = 1; i < quantize.input_count(); ++i) {
    const Tensor* const range = ConstantOf(quantize.input(i));
    if (range == nullptr || range->element_count() != 1 ||
        range->rank() > source.shape().rank()) {
      return false;
    }
  }
  return true;
}

// Whether floats are computed there.
bool IsComputed(Value source, const IntegerFlow& flow) {
  return source.type() == ElementType::kF32 && source.shape().rank_known() &&
         !source.node->Is("Parameter") && ConstantOf(source) == nullptr &&
         flow.Find(source) == nullptr;
}

// The movement whose sources are to be quantized; null: there is none.
Node* MovementBefore(Node& quantize, const IntegerFlow& flow) {
  const IntegerFlow::Entry* const entry = flow.Find(quantize.output());
  Node& movement = *quantize.input(0).node;
  const int sources = SourcesOf(movement);
  if (entry == nullptr || !entry->is_wanted || sources == 0 ||
      movement.port().uses.size() != 1) {
    return nullptr;
  }
  for (int i = 0; i < sources; ++i) {
    const Value source = movement.input(i);
    if (!IsComputed(source, flow) || !HasOneRange(quantize, source)) {
      return nullptr;
    }
  }
  return &movement;
}

absl::Status QuantizeSources(Model& model, Node& quantize, Node& movement) {
  NodeBuilder b(model, quantize);
  std::vector<Value> sources;
  for (int i = 0; i < SourcesOf(movement); ++i) {
    std::vector<Value> inputs = quantize.inputs();
    inputs[0] = movement.input(i);
    sources.push_back(b.MakeLike("FakeQuantize", inputs));
  }
  if (!b.status().ok()) return b.status();
  for (size_t i = 0; i < sources.size(); ++i) {
    movement.SetInput(static_cast<int>(i), sources[i]);
  }
  model.ReplaceNode(&quantize, {movement.output()});
  return absl::OkStatus();
}

absl::StatusOr<bool> MoveOnce(Model& model,
                              const LowPrecisionOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const IntegerFlow flow,
                            IntegerFlow::Of(model, options));
  bool changed = false;
  for (Node* node : flow.order()) {
    if (!node->Is("FakeQuantize")) continue;
    Node* const movement = MovementBefore(*node, flow);
    if (movement == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(QuantizeSources(model, *node, *movement));
    changed = true;
  }
  return changed;
}

// Through one movement at a time.
absl::StatusOr<bool> MoveIn(Model& model, const LowPrecisionOptions& options) {
  constexpr int kMaxDepth = 8;
  bool changed = false;
  for (int i = 0; i < kMaxDepth; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool moved, MoveOnce(model, options));
    if (!moved) break;
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> MoveQuantization::Run(Model& model) {
  return ForEachModel(model,
                      [this](Model& each) { return MoveIn(each, options_); });
}

}  // namespace dovetail
