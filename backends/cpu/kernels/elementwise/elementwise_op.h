// The instructions of elementwise programs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_OP_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_OP_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace dovetail::cpu {

// All of them compute f32 from f32. Truth is a number: 0 is false, any other
// true; what is computed as truth is 0 or 1.
enum class ElementwiseOp : uint8_t {
  // Of two operands a and b.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMaximum,  // of a NaN in either operand: one of the two
  kMinimum,
  kPower,
  kMod,       // the remainder with the sign of a
  kFloorMod,  // a - b * floor(a / b)
  kSquaredDifference,
  kPRelu,  // a < 0 ? a * b : a
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,

  // Of three operands.
  kMultiplyAdd,  // a * b + c, rounded once where the processor can
  kSelect,       // a ? b : c

  // Of x, input low, input high, output low and output high; parameter: levels.
  // Rounds as the reference kernel of FakeQuantize does.
  kFakeQuantize,

  // Of one operand x.
  kCopy,
  kAbs,
  kNegative,
  kSign,  // NaN of NaN
  kFloor,
  kCeiling,
  kRoundHalfToEven,
  kRoundHalfAwayFromZero,
  kTruncate,
  kSquare,
  kCube,
  kSqrt,
  kReciprocalSqrt,
  kReciprocal,
  kRelu,
  kLogicalNot,
  kIsNaN,
  kIsFinite,
  kExp,
  kExpm1,
  kLog,
  kTanh,
  kSigmoid,
  kErf,
  kGeluErf,
  kGeluTanh,
  kSoftPlus,
  kMish,
  kHSwish,    // x * hsigmoid(x)
  kHSigmoid,  // min(max(x + 3, 0), 6) / 6
  kSoftSign,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,

  // Of one operand x, with parameters p and q.
  kClamp,        // min(max(x, p), q)
  kLeakyRelu,    // x < 0 ? p * x : x
  kElu,          // x < 0 ? p * (exp(x) - 1) : x
  kSelu,         // q * (x > 0 ? x : p * (exp(x) - 1))
  kSwish,        // x * sigmoid(p * x)
  kHardSigmoid,  // min(max(p * x + q, 0), 1)
  kIsInf,        // -infinity counts if p, +infinity if q

  kCount,  // how many there are
};

// How many operands the instruction has, 1 to 5, and how many parameters, 0 to
// 2; 0 operands for what is no instruction.
int OperandCount(ElementwiseOp op);
int ParameterCount(ElementwiseOp op);

// "MultiplyAdd", for messages.
absl::string_view ElementwiseOpName(ElementwiseOp op);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_OP_H_
