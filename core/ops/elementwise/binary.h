// Operations on two tensors of one type, element by element with broadcasting:
// Add, Subtract, Multiply, Divide, Mod, FloorMod, Power, Maximum, Minimum,
// SquaredDifference; Equal … LessEqual; LogicalAnd, LogicalOr, LogicalXor, Xor;
// BitwiseAnd … BitwiseRightShift. All but Divide have BinaryAttributes.
#ifndef DOVETAIL_CORE_OPS_ELEMENTWISE_BINARY_H_
#define DOVETAIL_CORE_OPS_ELEMENTWISE_BINARY_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/broadcast.h"

namespace dovetail {

struct DivideAttributes : public AttributesOf<DivideAttributes> {
  // Integers: whether the quotient rounds down, rather than towards zero.
  bool m_pythondiv = true;
  AutoBroadcast auto_broadcast = AutoBroadcast::kNumpy;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("m_pythondiv", m_pythondiv);
    visitor.Visit("auto_broadcast", auto_broadcast);
  }
};

// Numbers in, numbers of the same type out.
absl::Status InferAdd(InferContext& context);
absl::Status InferSubtract(InferContext& context);
absl::Status InferMultiply(InferContext& context);
absl::Status InferPower(InferContext& context);
absl::Status InferSquaredDifference(InferContext& context);
absl::Status InferDivide(InferContext& context);
absl::Status InferMod(InferContext& context);
absl::Status InferFloorMod(InferContext& context);
absl::Status InferMaximum(InferContext& context);
absl::Status InferMinimum(InferContext& context);
// Power, SquaredDifference, bits and shifts: without values.
absl::Status InferArithmetic(InferContext& context);

// Numbers or booleans in, booleans out.
absl::Status InferEqual(InferContext& context);
absl::Status InferNotEqual(InferContext& context);
absl::Status InferLess(InferContext& context);
absl::Status InferLessEqual(InferContext& context);
absl::Status InferGreater(InferContext& context);
absl::Status InferGreaterEqual(InferContext& context);

// Booleans in, booleans out.
absl::Status InferLogicalAnd(InferContext& context);
absl::Status InferLogicalOr(InferContext& context);
absl::Status InferLogicalXor(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ELEMENTWISE_BINARY_H_
