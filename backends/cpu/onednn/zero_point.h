// Zero points of what primitives read as bytes.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_ZERO_POINT_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_ZERO_POINT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"

namespace dovetail::cpu {

// The argument of a primitive whose source has one zero point:
// set_zero_points_mask(DNNL_ARG_SRC, 0).
absl::StatusOr<PrimitiveOperand> AddZeroPoint(int32_t number,
                                              PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_ZERO_POINT_H_
