// The function that an instruction of an elementwise program runs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_OP_FUNCTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_OP_FUNCTION_H_

#include <array>
#include <cstddef>

#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"

namespace dovetail::cpu {

inline constexpr int kMaxOperands = 5;

// Lanes of the widest vectors. Tiles are whole multiples of it, so that no
// instruction has a remainder to care for.
inline constexpr size_t kTileStep = 16;

// A number as often as the widest vector has lanes.
struct alignas(64) BroadcastConstant {
  explicit BroadcastConstant(float value) { lanes.fill(value); }
  std::array<float, kTileStep> lanes;
};

// One operand of one tile. Element i is data[i & mask]: the mask keeps all
// bits, or for a number that is the same in the whole tile none, in which case
// data has kTileStep copies of it.
struct TileOperand {
  const float* data;
  size_t mask;
};

struct OpArguments {
  std::array<TileOperand, kMaxOperands> in;
  float* out;    // may be the data of an operand
  size_t count;  // a positive multiple of kTileStep
  const float* parameters;
};

using OpFunction = void (*)(const OpArguments& arguments);

// The fastest function of this processor; null for what is no instruction.
OpFunction FindOpFunction(ElementwiseOp op);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_OP_FUNCTION_H_
