// Convolutions and matrix products that can be computed with integers.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INTEGER_OPERANDS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INTEGER_OPERANDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Whether the node is one of the four operations.
bool IsConvolution(const Node& node);

struct IntegerOperands {
  Value data;              // u8 or i8
  int32_t zero_point = 0;  // what is subtracted from it
  // Or one for each channel, of convolutions that see each by itself.
  std::vector<int32_t> zero_points;
  Value weights;           // i8; but of MatMul a constant
};

// The operands of linear([Subtract](Convert(u8 | i8), [numbers]), Convert(i8)),
// as low-precision passes leave a convolution or a MatMul. Nothing for other
// forms and operations.
std::optional<IntegerOperands> IntegerOperandsOf(const Node& linear);

// Convert from u8 or i8 that a convolution or matrix product reads: the value
// stays as it is stored, in its integer type, until someone wants floats.
absl::StatusOr<bool> EmitWidening(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INTEGER_OPERANDS_H_
