// FakeQuantize.
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/elementwise/instructions/quantization.cc"
#include "dovetail/backends/cpu/kernels/elementwise/instructions/op_functions.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/elementwise/instructions/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

using FloatVector = hn::Vec<Floats>;

// The formula with what is the same for many elements turned into a scale and a
// shift before and behind the rounding. The order of roundings is that of the
// reference kernel, because networks have values so near to a tie that the last
// bit decides.
struct Ranges {
  FloatVector low, high;  // of the inputs, in this order
  FloatVector in_scale, in_shift;
  FloatVector out_low, out_high, out_scale;
};

// steps: levels less one; of_steps: 1 / steps, which is divided once for all
// elements.
HWY_INLINE Ranges LoadRanges(const OpArguments& arguments, size_t i,
                             FloatVector steps, FloatVector of_steps) {
  const Floats d;
  const FloatVector one = hn::Set(d, 1.0f);
  const FloatVector in_low = LoadOperand(arguments.in[1], i);
  const FloatVector in_high = LoadOperand(arguments.in[2], i);
  const FloatVector out_low = LoadOperand(arguments.in[3], i);
  const FloatVector out_high = LoadOperand(arguments.in[4], i);
  const FloatVector inverse = hn::Div(one, hn::Sub(in_high, in_low));
  return {.low = hn::Min(in_low, in_high),
          .high = hn::Max(in_low, in_high),
          .in_scale = hn::Mul(inverse, steps),
          .in_shift = hn::Neg(hn::Mul(hn::Mul(in_low, inverse), steps)),
          .out_low = out_low,
          .out_high = out_high,
          .out_scale = hn::Mul(of_steps, hn::Sub(out_high, out_low))};
}

HWY_INLINE FloatVector Quantize(FloatVector x, const Ranges& ranges) {
  const FloatVector step =
      hn::Round(hn::MulAdd(x, ranges.in_scale, ranges.in_shift));
  FloatVector result = hn::MulAdd(step, ranges.out_scale, ranges.out_low);
  result = hn::IfThenElse(hn::Gt(x, ranges.high), ranges.out_high, result);
  return hn::IfThenElse(hn::Le(x, ranges.low), ranges.out_low, result);
}

bool RangesAreFixed(const OpArguments& arguments) {
  size_t moves = 0;
  for (int i = 1; i < 5; ++i) moves |= arguments.in[i].mask;
  return moves == 0;
}

void FakeQuantize(const OpArguments& arguments) {
  const Floats d;
  const size_t count = arguments.count;
  float* const out = arguments.out;
  const FloatVector steps = hn::Set(d, arguments.parameters[0] - 1);
  const FloatVector of_steps = hn::Div(hn::Set(d, 1.0f), steps);
  const Ranges ranges = LoadRanges(arguments, 0, steps, of_steps);
  if (RangesAreFixed(arguments)) {
    Map1(arguments, [&](auto x) HWY_ATTR { return Quantize(x, ranges); });
    return;
  }
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const FloatVector x = LoadOperand(arguments.in[0], i);
    hn::StoreU(Quantize(x, LoadRanges(arguments, i, steps, of_steps)), d,
               out + i);
  }
}

}  // namespace

OpFunction FindQuantization(ElementwiseOp op) {
  return op == ElementwiseOp::kFakeQuantize ? FakeQuantize : nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindQuantization);

OpFunction FindQuantization(ElementwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(FindQuantization)(op);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
