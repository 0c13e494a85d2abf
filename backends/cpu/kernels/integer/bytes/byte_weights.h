// Weights that are multiplied as bytes where that is exact.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_WEIGHTS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Where the parts of packed weights begin.
struct ByteWeights {
  explicit ByteWeights(const DirectPlan& plan);

  int64_t bytes = 0;  // i8 [panel][run][quad][output][4]
  int64_t sums = 0;   // i32 [panel][block of inputs][output]
  // u8 [panel][run]: up to which numbers of the data sums of two products are
  // of 16 bits, and sums of four: of the inputs 0, 1, 4 and 5 of a run, or of
  // the others. There are none of those where channels are few.
  int64_t limits = 0, limits_of_four = 0;
  int64_t size = 0;
};

// Whether few sums of two products of the greatest data are beyond 16 bits;
// none of them where channels are few. weights: [outputs, inputs, rows,
// columns].
bool AreMostPairsSmall(const IntegerConvolutionShape& shape,
                       const int8_t* weights);

// Writes all of `packed`.
void PackByteWeights(const DirectPlan& plan, const int8_t* weights,
                     void* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_WEIGHTS_H_
