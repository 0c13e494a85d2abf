// Functions of OpenCL C that expressions call.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_FUNCTIONS_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// Text with marks for registers:
//
//   $V  the vector type of the elements of `type`, $T a single one of them
//   $U  the unsigned type in which they wrap, $S what comparing them gives
//   $R  the vector type of the elements of `result`
//   $I  that of ints, $L the number of lanes, nothing for one, and $N, 1 for it
struct MarkedTypes {
  ElementType type, result;
};
std::string ReplaceMarks(absl::string_view text, const MarkedTypes& types,
                         int lanes);

// The functions whose names occur in the text, which has marks, and those that
// they call; a KernelWriter's helpers, in order. There are, each with $V at the
// end of its name, of floats
//
//   sin_of_(x), cos_of_(x), tan_of_(x), floor_mod_(a, b)
//   erf_of_(x), gelu_of_(x), erf_inv_of_(x), mish_of_(x)
//   fake_quantize_(x, in_low, in_high, out_low, out_high, steps)
//   to_i32_(x), to_i64_(x), to_u64_(x), as Convert does
//
// and of signed integers, with divisors that are not 0,
//
//   divide_(a, b), divide_down_(a, b), remainder_(a, b)
//   floor_remainder_(a, b), with the divisor's sign
//
// and of all integers power_(a, b, the greatest number of the type).
std::vector<std::string> FunctionsOf(absl::string_view text,
                                     const MarkedTypes& types, int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_FUNCTIONS_H_
