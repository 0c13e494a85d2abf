#include "dovetail/core/ops/random/random.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

constexpr EnumName kRandomAlignmentNames[] = {
    {static_cast<int>(RandomAlignment::kTensorflow), "tensorflow"},
    {static_cast<int>(RandomAlignment::kPytorch), "pytorch"},
};

absl::Status CheckOutputType(const InferContext& context, ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBf16:
    case ElementType::kF32:
    case ElementType::kF64:
    case ElementType::kI32:
    case ElementType::kI64: return absl::OkStatus();
    default:
      return context.Error("output_type is ", ElementTypeName(type),
                           ", want f16, bf16, f32, f64, i32 or i64");
  }
}

// That min is less than max, where both are known.
absl::Status CheckBounds(const InferContext& context) {
  const auto min = context.doubles(1), max = context.doubles(2);
  if (!min || !max || min->size() != 1 || max->size() != 1) {
    return absl::OkStatus();
  }
  if ((*min)[0] < (*max)[0]) return absl::OkStatus();
  return context.Error("min ", (*min)[0], " is not less than max ",
                       (*max)[0]);
}

}  // namespace

absl::Span<const EnumName> EnumNames(RandomAlignment) {
  return kRandomAlignmentNames;
}

absl::Status InferRandomUniform(InferContext& context) {
  const ElementType type =
      context.attributes<RandomUniformAttributes>().output_type;
  DOVETAIL_RETURN_IF_ERROR(CheckOutputType(context, type));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 1));
  for (int i = 1; i <= 2; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireType(context, i, type));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  DOVETAIL_RETURN_IF_ERROR(CheckBounds(context));
  const ValueRange* extents = context.value(0);
  context.SetOutput(0, type,
                    extents != nullptr ? extents->ToPartialShape()
                                       : ShapeOfLength(context.shape(0)));
  return absl::OkStatus();
}

absl::Status InferMultinomial(InferContext& context) {
  const ElementType type =
      context.attributes<MultinomialAttributes>().convert_type;
  if (type != ElementType::kI32 && type != ElementType::kI64) {
    return context.Error("convert_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 1, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 1));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    const std::optional<int64_t> samples = context.scalar_int(1);
    if (samples.has_value() && *samples < 0) {
      return context.Error("input 1 asks for ", *samples, " samples");
    }
    shape[shape.rank() - 1] = samples.has_value() ? Dimension(*samples)
                                                  : Dimension::Unknown();
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
