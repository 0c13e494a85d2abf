// Instructions that compute truth or choose by it.
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/elementwise/instructions/logic.cc"
#include "dovetail/backends/cpu/kernels/elementwise/instructions/op_functions.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/cpu/kernels/elementwise/instructions/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// Not by Ne, which is false of NaN.
template <class V>
HWY_INLINE hn::Mask<Floats> IsTrue(V x) {
  return hn::Not(hn::Eq(x, hn::Zero(Floats())));
}

void Equal(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Eq(a, b), hn::Set(d, 1.0f));
  });
}

void NotEqual(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Not(hn::Eq(a, b)), hn::Set(d, 1.0f));
  });
}

void Less(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Lt(a, b), hn::Set(d, 1.0f));
  });
}

void LessEqual(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Le(a, b), hn::Set(d, 1.0f));
  });
}

void Greater(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Gt(a, b), hn::Set(d, 1.0f));
  });
}

void GreaterEqual(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Ge(a, b), hn::Set(d, 1.0f));
  });
}

void LogicalAnd(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::And(IsTrue(a), IsTrue(b)), hn::Set(d, 1.0f));
  });
}

void LogicalOr(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Or(IsTrue(a), IsTrue(b)), hn::Set(d, 1.0f));
  });
}

void LogicalXor(const OpArguments& arguments) {
  const Floats d;
  Map2(arguments, [=](auto a, auto b) HWY_ATTR {
    return hn::IfThenElseZero(hn::Xor(IsTrue(a), IsTrue(b)), hn::Set(d, 1.0f));
  });
}

void LogicalNot(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenElseZero(hn::Eq(x, hn::Zero(d)), hn::Set(d, 1.0f));
  });
}

void IsNaN(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenElseZero(hn::IsNaN(x), hn::Set(d, 1.0f));
  });
}

void IsFinite(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenElseZero(hn::IsFinite(x), hn::Set(d, 1.0f));
  });
}

void Select(const OpArguments& arguments) {
  Map3(arguments, [=](auto a, auto b, auto c)
                      HWY_ATTR { return hn::IfThenElse(IsTrue(a), b, c); });
}

void IsInf(const OpArguments& arguments) {
  const Floats d;
  // What a sign that does not count is compared with equals nothing.
  const auto low =
      arguments.parameters[0] != 0 ? hn::Neg(hn::Inf(d)) : hn::NaN(d);
  const auto high = arguments.parameters[1] != 0 ? hn::Inf(d) : hn::NaN(d);
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::IfThenElseZero(hn::Or(hn::Eq(x, low), hn::Eq(x, high)),
                              hn::Set(d, 1.0f));
  });
}

}  // namespace

OpFunction FindLogic(ElementwiseOp op) {
  switch (op) {
    case ElementwiseOp::kEqual:
      return Equal;
    case ElementwiseOp::kNotEqual:
      return NotEqual;
    case ElementwiseOp::kLess:
      return Less;
    case ElementwiseOp::kLessEqual:
      return LessEqual;
    case ElementwiseOp::kGreater:
      return Greater;
    case ElementwiseOp::kGreaterEqual:
      return GreaterEqual;
    case ElementwiseOp::kLogicalAnd:
      return LogicalAnd;
    case ElementwiseOp::kLogicalOr:
      return LogicalOr;
    case ElementwiseOp::kLogicalXor:
      return LogicalXor;
    case ElementwiseOp::kLogicalNot:
      return LogicalNot;
    case ElementwiseOp::kIsNaN:
      return IsNaN;
    case ElementwiseOp::kIsFinite:
      return IsFinite;
    case ElementwiseOp::kSelect:
      return Select;
    case ElementwiseOp::kIsInf:
      return IsInf;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindLogic);

OpFunction FindLogic(ElementwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(FindLogic)(op);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
