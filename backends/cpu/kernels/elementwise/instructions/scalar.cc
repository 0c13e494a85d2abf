// Instructions that are too rare to have vectors: one element at a time.
#include <cmath>

#include "dovetail/backends/cpu/kernels/elementwise/instructions/op_functions.h"

namespace dovetail::cpu {
namespace {

template <float (*kFunction)(float)>
void Map(const OpArguments& arguments) {
  const TileOperand x = arguments.in[0];
  for (size_t i = 0; i < arguments.count; ++i) {
    arguments.out[i] = kFunction(x.data[i & x.mask]);
  }
}

// A constant has kTileStep copies, of which the first serves.
template <float (*kFunction)(float, float)>
void Map2(const OpArguments& arguments) {
  const TileOperand a = arguments.in[0], b = arguments.in[1];
  for (size_t i = 0; i < arguments.count; ++i) {
    arguments.out[i] = kFunction(a.data[i & a.mask], b.data[i & b.mask]);
  }
}

}  // namespace

OpFunction FindScalar(ElementwiseOp op) {
  switch (op) {
    case ElementwiseOp::kPower:
      return Map2<std::pow>;
    case ElementwiseOp::kMod:
      return Map2<std::fmod>;
    case ElementwiseOp::kAsin:
      return Map<std::asin>;
    case ElementwiseOp::kAcos:
      return Map<std::acos>;
    case ElementwiseOp::kAtan:
      return Map<std::atan>;
    case ElementwiseOp::kSinh:
      return Map<std::sinh>;
    case ElementwiseOp::kCosh:
      return Map<std::cosh>;
    case ElementwiseOp::kAsinh:
      return Map<std::asinh>;
    case ElementwiseOp::kAcosh:
      return Map<std::acosh>;
    case ElementwiseOp::kAtanh:
      return Map<std::atanh>;
    default:
      return nullptr;
  }
}

}  // namespace dovetail::cpu
