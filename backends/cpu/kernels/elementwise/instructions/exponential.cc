// Instructions made of exponentials and logarithms.
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/elementwise/instructions/exponential.cc"
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

void Exp(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Exp(d, x); });
}

void Expm1(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Expm1(d, x); });
}

void Log(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Log(d, x); });
}

void Tanh(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Tanh(d, x); });
}

void Sigmoid(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Sigmoid(d, x); });
}

void Erf(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Erf(d, x); });
}

void GeluErf(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return HWY_NAMESPACE::GeluErf(d, x); });
}

void GeluTanh(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return HWY_NAMESPACE::GeluTanh(d, x); });
}

void SoftPlus(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments,
       [=](auto x) HWY_ATTR { return HWY_NAMESPACE::SoftPlus(d, x); });
}

void Mish(const OpArguments& arguments) {
  const Floats d;
  Map1(arguments, [=](auto x) HWY_ATTR { return HWY_NAMESPACE::Mish(d, x); });
}

void Elu(const OpArguments& arguments) {
  const Floats d;
  const auto scale = hn::Set(d, arguments.parameters[0]);
  Map1(arguments, [=](auto x) HWY_ATTR {
    const auto negative = hn::Mul(scale, HWY_NAMESPACE::Expm1(d, x));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), negative, x);
  });
}

void Selu(const OpArguments& arguments) {
  const Floats d;
  const auto alpha = hn::Set(d, arguments.parameters[0]);
  const auto lambda = hn::Set(d, arguments.parameters[1]);
  Map1(arguments, [=](auto x) HWY_ATTR {
    const auto negative = hn::Mul(alpha, HWY_NAMESPACE::Expm1(d, x));
    return hn::Mul(lambda, hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, negative));
  });
}

void Swish(const OpArguments& arguments) {
  const Floats d;
  const auto beta = hn::Set(d, arguments.parameters[0]);
  Map1(arguments, [=](auto x) HWY_ATTR {
    return hn::Mul(x, HWY_NAMESPACE::Sigmoid(d, hn::Mul(x, beta)));
  });
}

}  // namespace

OpFunction FindExponential(ElementwiseOp op) {
  switch (op) {
    case ElementwiseOp::kExp:
      return Exp;
    case ElementwiseOp::kExpm1:
      return Expm1;
    case ElementwiseOp::kLog:
      return Log;
    case ElementwiseOp::kTanh:
      return Tanh;
    case ElementwiseOp::kSigmoid:
      return Sigmoid;
    case ElementwiseOp::kErf:
      return Erf;
    case ElementwiseOp::kGeluErf:
      return GeluErf;
    case ElementwiseOp::kGeluTanh:
      return GeluTanh;
    case ElementwiseOp::kSoftPlus:
      return SoftPlus;
    case ElementwiseOp::kMish:
      return Mish;
    case ElementwiseOp::kElu:
      return Elu;
    case ElementwiseOp::kSelu:
      return Selu;
    case ElementwiseOp::kSwish:
      return Swish;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(FindExponential);

OpFunction FindExponential(ElementwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(FindExponential)(op);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
