// Arithmetic on what is known of elements before anything runs: intervals, and
// whole ValueRanges with broadcasting.
#ifndef DOVETAIL_CORE_OPS_COMMON_VALUE_MATH_H_
#define DOVETAIL_CORE_OPS_COMMON_VALUE_MATH_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

using Interval = ValueRange::Interval;

// Everything that an element of that type can be.
Interval WholeRange(ElementType type);
// The interval after rounding its bounds to the type: to a float's precision
// (to everything, of floats below 16 bits), or to everything when an integer
// might overflow.
Interval RoundTo(ElementType type, Interval interval);

// The interval of f(x) for every x of the interval, where f grows or falls
// throughout.
template <typename F>
Interval Rising(Interval x, F f) {
  return {f(x.lower), f(x.upper)};
}
template <typename F>
Interval Falling(Interval x, F f) {
  return {f(x.upper), f(x.lower)};
}

// The interval of the result for every pair of elements.
Interval AddIntervals(Interval a, Interval b);
Interval SubtractIntervals(Interval a, Interval b);
Interval MultiplyIntervals(Interval a, Interval b);
// The real quotient, its floor, and it truncated. Everything when b may be 0.
Interval DivideIntervals(Interval a, Interval b);
Interval FloorDivideIntervals(Interval a, Interval b);
Interval TruncateDivideIntervals(Interval a, Interval b);
// The remainder with the sign of b (FloorMod) and with that of a (Mod).
Interval FloorModIntervals(Interval a, Interval b);
Interval ModIntervals(Interval a, Interval b);
// The same for integers.
Interval FloorModIntegers(Interval a, Interval b);
Interval ModIntegers(Interval a, Interval b);
// a to the power of b; for integers everything when b may be negative.
Interval PowerIntervals(Interval a, Interval b);
Interval PowerIntegers(Interval a, Interval b);
Interval SquaredDifferenceIntervals(Interval a, Interval b);
Interval MinimumIntervals(Interval a, Interval b);
Interval MaximumIntervals(Interval a, Interval b);
// Truth is 1, its opposite 0, and [0, 1] is not known.
Interval EqualIntervals(Interval a, Interval b);
Interval NotEqualIntervals(Interval a, Interval b);
Interval LessIntervals(Interval a, Interval b);
Interval LessEqualIntervals(Interval a, Interval b);
Interval GreaterIntervals(Interval a, Interval b);
Interval GreaterEqualIntervals(Interval a, Interval b);
Interval AndIntervals(Interval a, Interval b);
Interval OrIntervals(Interval a, Interval b);
Interval XorIntervals(Interval a, Interval b);

// For each element of a tensor of shape `to`, in C order, the element of a
// tensor of shape `from` that broadcasting puts there. `from` has to fit.
std::vector<int64_t> BroadcastMap(const Shape& from, const Shape& to,
                                  AutoBroadcast mode);

using UnaryIntervalFn = Interval (*)(Interval);
using BinaryIntervalFn = Interval (*)(Interval, Interval);

// Notes the elements of output 0, whose type and shape are set, where those of
// the inputs are known. Nothing happens while a kernel runs.
void PropagateUnary(InferContext& context, UnaryIntervalFn f);
void PropagateBinary(InferContext& context, AutoBroadcast mode,
                     BinaryIntervalFn f);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_VALUE_MATH_H_
