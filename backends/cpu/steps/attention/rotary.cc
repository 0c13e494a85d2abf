#include "dovetail/backends/cpu/steps/attention/rotary.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/linear/read_through.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/kernels/attention/rotary.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/transformations/fusion/attention/rotary_pattern.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 13;
// From a part of x that is turned to the sum there are a negation, the joining
// of both parts and a product in between.
constexpr int kMaxHops = 4;

bool IsF32(Value value) {
  return value.type() == ElementType::kF32 && value.shape().ToShape().ok();
}

// Of f32 with static shapes, where only x has to be as large as the result.
std::optional<RotaryEmbedding> F32RotaryOf(const Node& sum) {
  auto rotary = MatchRotaryEmbedding(sum);
  if (!rotary || !IsF32(rotary->x) || !IsF32(rotary->cos) ||
      !IsF32(rotary->sin)) {
    return std::nullopt;
  }
  const Shape shape = PlanBuilder::ShapeOf(rotary->x);
  if (shape.Count() == 0 ||
      PlanBuilder::ShapeOf(PlanBuilder::OutputOf(sum)) != shape) {
    return std::nullopt;
  }
  for (const Value angle : {rotary->cos, rotary->sin}) {
    const Shape own = PlanBuilder::ShapeOf(angle);
    if (own.rank() == 0 || own.back() != shape.back()) return std::nullopt;
  }
  return rotary;
}

// That to which the node belongs, besides its sum.
std::optional<RotaryEmbedding> RotaryAround(const Node& part) {
  const Node* node = &part;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    if (node->output_count() != 1 || node->port().uses.size() != 1) break;
    node = node->port().uses[0].node;
    if (!node->Is("Add")) continue;
    auto rotary = F32RotaryOf(*node);
    if (!rotary) return std::nullopt;
    const auto& nodes = rotary->nodes;
    const bool is_part =
        std::find(nodes.begin(), nodes.end(), &part) != nodes.end();
    return is_part ? std::move(rotary) : std::nullopt;
  }
  return std::nullopt;
}

// A value's elements as those of a result of that shape that it broadcasts to.
StridedView ViewIn(const Shape& shape, Value value) {
  const StridedView own = PackedView(PlanBuilder::ShapeOf(value));
  return BroadcastView(own, shape,
                       ConsecutiveAxes(shape.rank() - own.rank(), own.rank()));
}

// Where row number `row` of the last axis begins.
int64_t OffsetOf(const StridedView& view, int64_t row) {
  int64_t offset = view.offset;
  for (int axis = view.rank() - 2; axis >= 0; --axis) {
    offset += row % view.shape[axis] * view.strides[axis];
    row /= view.shape[axis];
  }
  return offset;
}

class RotaryStep : public Step {
 public:
  RotaryStep(StridedView x, StridedView cos, StridedView sin)
      : x_(std::move(x)),
        cos_(std::move(cos)),
        sin_(std::move(sin)),
        length_(x_.shape.back()),
        rows_(x_.shape.Count() / length_) {}

  absl::Status Run(const StepRun& run) const override {
    ParallelFor(run.environment->team(), rows_,
                std::max<int64_t>(1, kElementsAtATime / length_),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    RotateRow(run.input<float>(0) + OffsetOf(x_, row),
                              run.input<float>(1) + OffsetOf(cos_, row),
                              run.input<float>(2) + OffsetOf(sin_, row),
                              length_, run.output<float>() + row * length_);
                  }
                });
    return absl::OkStatus();
  }

 private:
  const StridedView x_, cos_, sin_;
  const int64_t length_, rows_;
};

}  // namespace

absl::StatusOr<bool> EmitRotary(const Node& node, PlanBuilder& builder) {
  const auto rotary = F32RotaryOf(node);
  if (!rotary) return false;
  ReadThrough source = FindSource(rotary->x, builder);
  if (!HasDenseRows(source)) {
    source = {rotary->x, PackedView(PlanBuilder::ShapeOf(rotary->x))};
  }
  std::vector<Operand> inputs;
  for (const Value value : {source.base, rotary->cos, rotary->sin}) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(value));
    inputs.push_back(input);
  }
  for (const Node* part : rotary->nodes) {
    if (part != &node) builder.Fuse(*part);
  }
  const Shape shape = PlanBuilder::ShapeOf(rotary->x);
  builder.Add(node, "rotary_f32",
              std::make_unique<RotaryStep>(std::move(source.view),
                                           ViewIn(shape, rotary->cos),
                                           ViewIn(shape, rotary->sin)),
              inputs, {builder.WritePlain(PlanBuilder::OutputOf(node))});
  return true;
}

absl::StatusOr<bool> EmitPartOfRotary(const Node& node, PlanBuilder&) {
  return RotaryAround(node).has_value();
}

bool IsReadByRotary(const Use& use) {
  const auto rotary = RotaryAround(*use.node);
  return rotary.has_value() && rotary->x == use.node->input(use.input);
}

}  // namespace dovetail::cpu
