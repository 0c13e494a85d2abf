#include "dovetail/core/ops/common/values.h"

namespace dovetail {

PartialShape UnknownOfRank(int64_t rank) {
  if (rank < 0 || rank > kMaxRank) return PartialShape::DynamicRank();
  return PartialShape::OfRank(static_cast<int>(rank));
}

PartialShape ShapeOfLength(const PartialShape& vector) {
  if (!vector.rank_known()) return PartialShape::DynamicRank();
  const Dimension length = vector.ElementCount();
  return length.is_static() ? UnknownOfRank(length.value())
                            : PartialShape::DynamicRank();
}

Dimension ExtentOf(const ValueRange::Interval& element) {
  constexpr double kTooLarge = 9.2e18;
  if (!(element.lower >= 0)) return Dimension::Unknown();
  const auto cut = [](double bound) {
    return bound < kTooLarge ? static_cast<int64_t>(bound)
                             : Dimension::kInfinity;
  };
  return Dimension(cut(element.lower), cut(element.upper));
}

void ForwardValue(InferContext& context) {
  if (!context.wants_values()) return;
  if (const ValueRange* value = context.value(0)) context.SetValue(0, *value);
}

Dimension LengthOf(const InferContext& context, int input) {
  return context.shape(input).rank_known()
             ? context.shape(input).ElementCount()
             : Dimension::Unknown();
}

absl::Status RequireSameLength(const InferContext& context, int a, int b) {
  const Dimension length_a = LengthOf(context, a);
  const Dimension length_b = LengthOf(context, b);
  if (length_a.Compatible(length_b)) return absl::OkStatus();
  return context.Error("input ", b, " has ", length_b.ToString(),
                       " elements, want ", length_a.ToString(),
                       " as input ", a, " has");
}

absl::Status RequireLengthIsRank(const InferContext& context, int input,
                                 int data) {
  const PartialShape& shape = context.shape(data);
  if (!shape.rank_known()) return absl::OkStatus();
  const Dimension length = LengthOf(context, input);
  if (length.Contains(shape.rank())) return absl::OkStatus();
  return context.Error("input ", input, " has ", length.ToString(),
                       " elements, want ", shape.rank(),
                       ", the rank of input ", data, " of shape ",
                       shape.ToString());
}

}  // namespace dovetail
