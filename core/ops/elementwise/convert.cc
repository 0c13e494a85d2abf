#include "dovetail/core/ops/elementwise/convert.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

// The interval of Convert's result.
Interval ConvertInterval(ElementType type, Interval x) {
  if (type == ElementType::kBoolean) {
    return NotEqualIntervals(x, {0, 0});
  }
  if (!IsInteger(type)) return RoundTo(type, x);
  // Extents without a bound are taken to fit 32 bits, but no less.
  const Interval whole = WholeRange(type);
  if (BitWidth(type) < 32 && (x.lower < whole.lower || x.upper > whole.upper)) {
    return whole;
  }
  return RoundTo(type, Rising(x, [](double v) { return std::trunc(v); }));
}

// Notes the elements of output `i`, which are those of input `i` converted.
void PropagateConversion(InferContext& context, int i) {
  if (!context.wants_values()) return;
  const ValueRange* value = context.value(i);
  const ElementType type = context.outputs()[i].type;
  if (value == nullptr || type == ElementType::kDynamic) return;
  std::vector<Interval> elements;
  for (const Interval& element : value->elements()) {
    elements.push_back(ConvertInterval(type, element));
  }
  context.SetValue(i, ValueRange(std::move(elements)));
}

// The narrowest type of that class with `bits` or more; nothing over 64 bits.
std::optional<ElementType> SignedOfWidth(int bits) {
  for (ElementType type : {ElementType::kI2, ElementType::kI4,
                           ElementType::kI8, ElementType::kI16,
                           ElementType::kI32, ElementType::kI64}) {
    if (BitWidth(type) >= bits) return type;
  }
  return std::nullopt;
}

ElementType FloatOfWidth(int bits) {
  if (bits <= 16) return ElementType::kF16;
  return bits <= 32 ? ElementType::kF32 : ElementType::kF64;
}

// The rules below answer nothing where there is no common type.
using Promotion = std::optional<ElementType>;

Promotion PromoteFloats(ElementType a, ElementType b, bool unsafe) {
  if (BitWidth(a) != BitWidth(b)) return BitWidth(a) > BitWidth(b) ? a : b;
  if (!unsafe) return std::nullopt;
  return FloatOfWidth(2 * BitWidth(a));
}

// A float type holds integers of half of its width.
Promotion PromoteToFloat(ElementType real, ElementType integer, bool unsafe) {
  if (unsafe || 2 * BitWidth(integer) <= BitWidth(real)) return real;
  return std::nullopt;
}

Promotion PromoteIntegers(ElementType a, ElementType b,
                          const ConvertPromoteTypesAttributes& attributes) {
  if (IsSigned(a) == IsSigned(b)) return BitWidth(a) > BitWidth(b) ? a : b;
  const ElementType with_sign = IsSigned(a) ? a : b;
  const ElementType without = IsSigned(a) ? b : a;
  if (BitWidth(with_sign) > BitWidth(without)) return with_sign;
  if (!attributes.promote_unsafe) return std::nullopt;
  const Promotion wider = SignedOfWidth(2 * BitWidth(without));
  return wider.has_value() ? wider : attributes.u64_integer_promotion_target;
}

Promotion PromoteTensors(ElementType a, ElementType b,
                         const ConvertPromoteTypesAttributes& attributes) {
  const bool unsafe = attributes.promote_unsafe;
  if (IsFloat(a) && IsFloat(b)) return PromoteFloats(a, b, unsafe);
  if (IsFloat(a)) return PromoteToFloat(a, b, unsafe);
  if (IsFloat(b)) return PromoteToFloat(b, a, unsafe);
  return PromoteIntegers(a, b, attributes);
}

// A tensor keeps its type beside a scalar, unless only the scalar is a float.
Promotion PromoteScalar(ElementType tensor, ElementType scalar, bool unsafe) {
  if (IsFloat(scalar) && !IsFloat(tensor)) {
    return PromoteToFloat(scalar, tensor, unsafe);
  }
  if (unsafe) return tensor;
  if (IsFloat(tensor) && !IsFloat(scalar)) {
    return PromoteToFloat(tensor, scalar, unsafe);
  }
  if (!IsFloat(tensor) && IsSigned(scalar) && !IsSigned(tensor)) {
    return std::nullopt;
  }
  // An unsigned scalar is allowed to be twice as wide as a signed tensor.
  const bool mixed = IsSigned(tensor) && !IsSigned(scalar);
  const int room = BitWidth(tensor) * (mixed ? 2 : 1);
  return room >= BitWidth(scalar) ? Promotion(tensor) : std::nullopt;
}

}  // namespace

absl::Status InferConvert(InferContext& context) {
  const ElementType type =
      context.attributes<ConvertAttributes>().destination_type;
  if (type == ElementType::kDynamic) {
    return context.Error("destination_type is not set");
  }
  context.SetOutput(0, type, context.shape(0));
  PropagateConversion(context, 0);
  return absl::OkStatus();
}

absl::Status InferConvertLike(InferContext& context) {
  context.SetOutput(0, context.type(1), context.shape(0));
  PropagateConversion(context, 0);
  return absl::OkStatus();
}

absl::StatusOr<ElementType> CommonType(const InferContext& context) {
  const ElementType a = context.type(0), b = context.type(1);
  if (a == b || b == ElementType::kBoolean) return a;
  if (a == ElementType::kBoolean) return b;
  if (a == ElementType::kDynamic || b == ElementType::kDynamic) {
    return ElementType::kDynamic;
  }
  DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, 1));
  const auto& attributes =
      context.attributes<ConvertPromoteTypesAttributes>();
  const PartialShape& shape_a = context.shape(0);
  const PartialShape& shape_b = context.shape(1);
  const bool by_rank = attributes.pytorch_scalar_promotion;
  if (by_rank && (!shape_a.rank_known() || !shape_b.rank_known())) {
    return ElementType::kDynamic;
  }
  Promotion type;
  if (a == ElementType::kNf4 || b == ElementType::kNf4) {
    type = std::nullopt;
  } else if (by_rank && (shape_a.rank() == 0) != (shape_b.rank() == 0)) {
    const bool a_is_scalar = shape_a.rank() == 0;
    type = PromoteScalar(a_is_scalar ? b : a, a_is_scalar ? a : b,
                         attributes.promote_unsafe);
  } else {
    type = PromoteTensors(a, b, attributes);
  }
  if (type.has_value()) return *type;
  return context.Error("types ", ElementTypeName(a), " and ",
                       ElementTypeName(b), " have no common type",
                       attributes.promote_unsafe
                           ? ""
                           : " that is safe (promote_unsafe is false)");
}

absl::Status InferConvertPromoteTypes(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type, CommonType(context));
  for (int i = 0; i < 2; ++i) {
    context.SetOutput(i, type, context.shape(i));
    PropagateConversion(context, i);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
