// Instructions of a few additions and multiplications.
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/elementwise/instructions/arithmetic.cc"
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

void Add(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Add(a, b); });
}

void Subtract(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Sub(a, b); });
}

void Multiply(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Mul(a, b); });
}

void Divide(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Div(a, b); });
}

void Maximum(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
}

void Minimum(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR { return hn::Min(a, b); });
}

void FloorMod(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::NegMulAdd(b, hn::Floor(hn::Div(a, b)), a);
  });
}

void SquaredDifference(const OpArguments& arguments) {
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    const auto c = hn::Sub(a, b);
    return hn::Mul(c, c);
  });
}

void PRelu(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Mul(a, b), a);
  });
}

void MultiplyAdd(const OpArguments& arguments) {
  Map3(arguments,
       [=](auto a, auto b, auto c) HWY_ATTR { return hn::MulAdd(a, b, c); });
}

void Abs(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Abs(x); });
}

void Negative(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Neg(x); });
}

void Copy(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return x; });
}

void Sign(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    const auto positive =
        hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Set(d, 1.0f), x);
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, -1.0f), positive);
  });
}

void Floor(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Floor(x); });
}

void Ceiling(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Ceil(x); });
}

void RoundHalfToEven(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Round(x); });
}

void RoundHalfAwayFromZero(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR {  // The number before 1/2: with 1/2 what is next
                               // below it would be rounded up.
         const auto half = hn::CopySignToAbs(hn::Set(d, 0.49999997f), x);
         return hn::Trunc(hn::Add(x, half));
       });
}

void Truncate(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Trunc(x); });
}

void Square(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Mul(x, x); });
}

void Cube(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Mul(hn::Mul(x, x), x); });
}

void Sqrt(const OpArguments& arguments) {
  Map1(arguments, [=](auto x) HWY_ATTR { return hn::Sqrt(x); });
}

void ReciprocalSqrt(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x)); });
}

void Reciprocal(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return hn::Div(hn::Set(d, 1.0f), x); });
}

void Relu(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
  });
}

void SoftSign(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::Div(x, hn::Add(hn::Abs(x), hn::Set(d, 1.0f)));
  });
}

void HSigmoid(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HardSigmoid6(d, x); });
}

void HSwish(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return hn::Mul(x, HardSigmoid6(d, x)); });
}

void Clamp(const OpArguments& arguments) {
  const Floats d;
  const auto low = hn::Set(d, arguments.parameters[0]);
  const auto high = hn::Set(d, arguments.parameters[1]);
  Map1(arguments,
       [=](auto x) HWY_ATTR { return MinKeepNaN(high, MaxKeepNaN(low, x)); });
}

void LeakyRelu(const OpArguments& arguments) {
  const Floats d;
  const auto slope = hn::Set(d, arguments.parameters[0]);
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, slope), x);
  });
}

void HardSigmoid(const OpArguments& arguments) {
  const Floats d;
  const auto scale = hn::Set(d, arguments.parameters[0]);
  const auto shift = hn::Set(d, arguments.parameters[1]);
  Map1(arguments, [=](auto x) HWY_ATTR {
    const auto line = hn::MulAdd(x, scale, shift);
    return MinKeepNaN(hn::Set(d, 1.0f), MaxKeepNaN(hn::Zero(d), line));
  });
}

}  // namespace

OpFunction FindArithmetic(ElementwiseOp op) {
  switch (op) {
    case ElementwiseOp::kAdd:
      return Add;
    case ElementwiseOp::kSubtract:
      return Subtract;
    case ElementwiseOp::kMultiply:
      return Multiply;
    case ElementwiseOp::kDivide:
      return Divide;
    case ElementwiseOp::kMaximum:
      return Maximum;
    case ElementwiseOp::kMinimum:
      return Minimum;
    case ElementwiseOp::kFloorMod:
      return FloorMod;
    case ElementwiseOp::kSquaredDifference:
      return SquaredDifference;
    case ElementwiseOp::kPRelu:
      return PRelu;
    case ElementwiseOp::kMultiplyAdd:
      return MultiplyAdd;
    case ElementwiseOp::kAbs:
      return Abs;
    case ElementwiseOp::kNegative:
      return Negative;
    case ElementwiseOp::kCopy:
      return Copy;
    case ElementwiseOp::kSign:
      return Sign;
    case ElementwiseOp::kFloor:
      return Floor;
    case ElementwiseOp::kCeiling:
      return Ceiling;
    case ElementwiseOp::kRoundHalfToEven:
      return RoundHalfToEven;
    case ElementwiseOp::kRoundHalfAwayFromZero:
      return RoundHalfAwayFromZero;
    case ElementwiseOp::kTruncate:
      return Truncate;
    case ElementwiseOp::kSquare:
      return Square;
    case ElementwiseOp::kCube:
      return Cube;
    case ElementwiseOp::kSqrt:
      return Sqrt;
    case ElementwiseOp::kReciprocalSqrt:
      return ReciprocalSqrt;
    case ElementwiseOp::kReciprocal:
      return Reciprocal;
    case ElementwiseOp::kRelu:
      return Relu;
    case ElementwiseOp::kSoftSign:
      return SoftSign;
    case ElementwiseOp::kHSigmoid:
      return HSigmoid;
    case ElementwiseOp::kHSwish:
      return HSwish;
    case ElementwiseOp::kClamp:
      return Clamp;
    case ElementwiseOp::kLeakyRelu:
      return LeakyRelu;
    case ElementwiseOp::kHardSigmoid:
      return HardSigmoid;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindArithmetic);

OpFunction FindArithmetic(ElementwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(FindArithmetic)(op);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
