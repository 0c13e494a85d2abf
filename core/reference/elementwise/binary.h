// Kernels of two inputs: arithmetic, comparisons, logic and bits. Integers wrap
// on overflow. Dividing an integer by zero is kInvalidArgument.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_BINARY_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_BINARY_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/common/binary_rows.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status AddKernel(KernelContext& context);
absl::Status SubtractKernel(KernelContext& context);
absl::Status MultiplyKernel(KernelContext& context);
absl::Status SquaredDifferenceKernel(KernelContext& context);
absl::Status DivideKernel(KernelContext& context);
absl::Status ModKernel(KernelContext& context);
absl::Status FloorModKernel(KernelContext& context);
// Integer powers wrap; to a negative exponent they are cut to 0, 1 or -1, and 0
// is the largest number there is.
absl::Status PowerKernel(KernelContext& context);
// The first of both where they do not compare, as with NaN.
absl::Status MaximumKernel(KernelContext& context);
absl::Status MinimumKernel(KernelContext& context);

absl::Status EqualKernel(KernelContext& context);
absl::Status NotEqualKernel(KernelContext& context);
absl::Status LessKernel(KernelContext& context);
absl::Status LessEqualKernel(KernelContext& context);
absl::Status GreaterKernel(KernelContext& context);
absl::Status GreaterEqualKernel(KernelContext& context);

absl::Status LogicalAndKernel(KernelContext& context);
absl::Status LogicalOrKernel(KernelContext& context);
absl::Status LogicalXorKernel(KernelContext& context);

absl::Status BitwiseAndKernel(KernelContext& context);
absl::Status BitwiseOrKernel(KernelContext& context);
absl::Status BitwiseXorKernel(KernelContext& context);
// The distance counts modulo 64 for 64-bit types and modulo 32 for others; the
// right shift of a negative number keeps its sign.
absl::Status BitwiseLeftShiftKernel(KernelContext& context);
absl::Status BitwiseRightShiftKernel(KernelContext& context);

// How the node's auto_broadcast (of BinaryAttributes) aligns shapes.
Alignment AlignmentOf(const KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_BINARY_H_
