// Kernels of one input: functions, roundings, tests, negations. Transcendental
// functions of integers are computed as double and then made integers again,
// rounded or cut as OpenVINO does for the function in question.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_UNARY_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_UNARY_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status AbsKernel(KernelContext& context);
absl::Status NegativeKernel(KernelContext& context);
absl::Status SignKernel(KernelContext& context);
absl::Status CeilingKernel(KernelContext& context);
absl::Status FloorKernel(KernelContext& context);
absl::Status RoundKernel(KernelContext& context);
absl::Status ClampKernel(KernelContext& context);

absl::Status AcosKernel(KernelContext& context);
absl::Status AcoshKernel(KernelContext& context);
absl::Status AsinKernel(KernelContext& context);
absl::Status AsinhKernel(KernelContext& context);
absl::Status AtanKernel(KernelContext& context);
absl::Status AtanhKernel(KernelContext& context);
absl::Status CosKernel(KernelContext& context);
absl::Status CoshKernel(KernelContext& context);
absl::Status ErfKernel(KernelContext& context);
absl::Status ErfInvKernel(KernelContext& context);
absl::Status ExpKernel(KernelContext& context);
absl::Status LogKernel(KernelContext& context);
absl::Status SinKernel(KernelContext& context);
absl::Status SinhKernel(KernelContext& context);
absl::Status SqrtKernel(KernelContext& context);
absl::Status TanKernel(KernelContext& context);

absl::Status IsFiniteKernel(KernelContext& context);
absl::Status IsInfKernel(KernelContext& context);
absl::Status IsNaNKernel(KernelContext& context);
absl::Status LogicalNotKernel(KernelContext& context);
absl::Status BitwiseNotKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_UNARY_H_
