#include "dovetail/backends/common/fusion/scale_and_shift.h"

#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/op_type.h"

namespace dovetail {
namespace {

// The node behind `node` if there is no other and it is of that type, reading
// `node` and an f32 constant whose shape `fits`.
struct Follower {
  const Node* node;
  Value constant;
};
std::optional<Follower> FollowerOf(
    const Node& node, OpType type,
    absl::FunctionRef<bool(const Shape& own)> fits) {
  const auto& uses = node.port().uses;
  if (uses.size() != 1 || !uses[0].node->Is(type)) return std::nullopt;
  const Node& next = *uses[0].node;
  if (next.input_count() != 2) return std::nullopt;
  const Value constant = next.input(1 - uses[0].input);
  if (PlanBuilderBase::ConstantOf(constant) == nullptr) return std::nullopt;
  const Shape shape = PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node));
  if (PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(next)) != shape ||
      constant.type() != ElementType::kF32 ||
      !fits(PlanBuilderBase::ShapeOf(constant))) {
    return std::nullopt;
  }
  return Follower{&next, constant};
}

}  // namespace

bool RepeatsByRow(const Shape& own, const Shape& shape, int first_axis) {
  const int row = shape.rank() - first_axis;
  if (own.rank() < row || own.Count(0, own.rank() - row) != 1) return false;
  for (int i = 1; i <= row; ++i) {
    if (own[own.rank() - i] != shape[shape.rank() - i]) return false;
  }
  return true;
}

bool RepeatsByChannel(const Shape& own, const Shape& shape) {
  const int spatial = shape.rank() - 2;
  return own.rank() > spatial && own.Count() == shape[1] &&
         own[own.rank() - 1 - spatial] == shape[1];
}

bool HasScaleOrShift(const Node& node,
                     absl::FunctionRef<bool(const Shape& own)> fits) {
  return FollowerOf(node, "Multiply", fits) || FollowerOf(node, "Add", fits);
}

absl::StatusOr<ScaleAndShift> FuseScaleAndShift(
    const Node& node, PlanBuilderBase& builder,
    absl::FunctionRef<bool(const Shape& own)> fits) {
  ScaleAndShift result{&node, {}, {}};
  if (const auto next = FollowerOf(*result.last, "Multiply", fits)) {
    DOVETAIL_ASSIGN_OR_RETURN(result.scale, builder.ReadPlain(next->constant));
    result.last = next->node;
    builder.Fuse(*result.last);
  }
  if (const auto next = FollowerOf(*result.last, "Add", fits)) {
    DOVETAIL_ASSIGN_OR_RETURN(result.shift, builder.ReadPlain(next->constant));
    result.last = next->node;
    builder.Fuse(*result.last);
  }
  return result;
}

}  // namespace dovetail
