// Operations on one tensor, element by element: functions such as Exp, whose
// output has the input's type, Round, Clamp, the tests IsNaN, IsInf, IsFinite,
// LogicalNot and BitwiseNot.
#ifndef DOVETAIL_CORE_OPS_ELEMENTWISE_UNARY_H_
#define DOVETAIL_CORE_OPS_ELEMENTWISE_UNARY_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class RoundMode { kHalfToEven, kHalfAwayFromZero };
absl::Span<const EnumName> EnumNames(RoundMode);

struct RoundAttributes : public AttributesOf<RoundAttributes> {
  RoundMode mode = RoundMode::kHalfToEven;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("mode", mode);
  }
};

struct ClampAttributes : public AttributesOf<ClampAttributes> {
  double min = 0;
  double max = 0;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("min", min);
    visitor.Visit("max", max);
  }
};

struct IsInfAttributes : public AttributesOf<IsInfAttributes> {
  bool detect_negative = true;
  bool detect_positive = true;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("detect_negative", detect_negative);
    visitor.Visit("detect_positive", detect_positive);
  }
};

// The input's type and shape, no values: Sin, Exp, BitwiseNot …
absl::Status InferUnary(InferContext& context);
absl::Status InferAbs(InferContext& context);
absl::Status InferCeiling(InferContext& context);
absl::Status InferFloor(InferContext& context);
absl::Status InferNegative(InferContext& context);
absl::Status InferSign(InferContext& context);
absl::Status InferSqrt(InferContext& context);
absl::Status InferRound(InferContext& context);
absl::Status InferClamp(InferContext& context);
// Booleans out: IsNaN, IsInf, IsFinite.
absl::Status InferFloatTest(InferContext& context);
absl::Status InferLogicalNot(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ELEMENTWISE_UNARY_H_
