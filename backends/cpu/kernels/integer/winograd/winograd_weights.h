// Weights of Winograd's algorithm for integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_WEIGHTS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_plan.h"

namespace dovetail::cpu {

// Whether no result with these weights is beyond 26 bits. Then all sums may be
// modulo 2^32. weights: [outputs, inputs, 3, 3].
bool AreWinogradSumsExact(const IntegerConvolutionShape& shape,
                          const int8_t* weights);

// Adds the transformed weights to zeros at `packed`: [panel][spot][pair of
// inputs][output][2], where a panel has 16 outputs, the last one perhaps 8.
void PackIntegerWeights(const IntegerWinogradPlan& plan, const int8_t* weights,
                        int16_t* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_WEIGHTS_H_
