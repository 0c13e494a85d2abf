// Sine, cosine and tangent.
#include <cmath>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/elementwise/instructions/trigonometric.cc"
#include "dovetail/backends/cpu/kernels/elementwise/instructions/op_functions.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/cpu/kernels/elementwise/instructions/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;
namespace {

// Applies `f` where |x| <= 8192; a vector with any larger number goes through
// `exact`, one number at a time.
template <class F>
HWY_INLINE void MapAngles(const OpArguments& arguments, float (*exact)(float),
                          F f) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    const auto large = hn::Gt(hn::Abs(x), hn::Set(d, 8192.0f));
    if (HWY_LIKELY(hn::AllFalse(d, large))) return f(x);
    HWY_ALIGN float lanes[kTileStep];
    hn::Store(x, d, lanes);
    for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = exact(lanes[i]);
    return hn::Load(d, lanes);
  });
}

void Sin(const OpArguments& arguments) {
  const Floats d;
  MapAngles(arguments, std::sin,
            [=](auto x) HWY_ATTR { return SinOfQuarters(d, x, 0); });
}

void Cos(const OpArguments& arguments) {
  const Floats d;
  MapAngles(arguments, std::cos,
            [=](auto x) HWY_ATTR { return SinOfQuarters(d, x, 1); });
}

void Tan(const OpArguments& arguments) {
  const Floats d;
  MapAngles(arguments, std::tan, [=](auto x) HWY_ATTR {
    return hn::Div(SinOfQuarters(d, x, 0), SinOfQuarters(d, x, 1));
  });
}

}  // namespace

OpFunction FindTrigonometric(ElementwiseOp op) {
  switch (op) {
    case ElementwiseOp::kSin:
      return Sin;
    case ElementwiseOp::kCos:
      return Cos;
    case ElementwiseOp::kTan:
      return Tan;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindTrigonometric);

OpFunction FindTrigonometric(ElementwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(FindTrigonometric)(op);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
