#include "dovetail/backends/cpu/steps/elementwise/instruction.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"

namespace dovetail::cpu {
namespace {

using Op = ElementwiseOp;

// What types an operation takes.
enum class Kind {
  kFloat,       // f32 to f32
  kComparison,  // f32 or narrow integers to boolean
  kLogic,       // boolean to boolean
  kTest,        // f32 to boolean
  kSelect,
  kConvert,
};

struct Row {
  OpType type;
  Op op;
  Kind kind;
  int operands;
};

constexpr Row kRows[] = {
    {"Add", Op::kAdd, Kind::kFloat, 2},
    {"Subtract", Op::kSubtract, Kind::kFloat, 2},
    {"Multiply", Op::kMultiply, Kind::kFloat, 2},
    {"Divide", Op::kDivide, Kind::kFloat, 2},
    {"Maximum", Op::kMaximum, Kind::kFloat, 2},
    {"Minimum", Op::kMinimum, Kind::kFloat, 2},
    {"Power", Op::kPower, Kind::kFloat, 2},
    {"Mod", Op::kMod, Kind::kFloat, 2},
    {"FloorMod", Op::kFloorMod, Kind::kFloat, 2},
    {"SquaredDifference", Op::kSquaredDifference, Kind::kFloat, 2},
    {"PRelu", Op::kPRelu, Kind::kFloat, 2},
    {"FakeQuantize", Op::kFakeQuantize, Kind::kFloat, 5},
    {"Abs", Op::kAbs, Kind::kFloat, 1},
    {"Negative", Op::kNegative, Kind::kFloat, 1},
    {"Sign", Op::kSign, Kind::kFloat, 1},
    {"Floor", Op::kFloor, Kind::kFloat, 1},
    {"Ceiling", Op::kCeiling, Kind::kFloat, 1},
    {"Round", Op::kRoundHalfToEven, Kind::kFloat, 1},
    {"Sqrt", Op::kSqrt, Kind::kFloat, 1},
    {"Relu", Op::kRelu, Kind::kFloat, 1},
    {"Exp", Op::kExp, Kind::kFloat, 1},
    {"Log", Op::kLog, Kind::kFloat, 1},
    {"Tanh", Op::kTanh, Kind::kFloat, 1},
    {"Sigmoid", Op::kSigmoid, Kind::kFloat, 1},
    {"Erf", Op::kErf, Kind::kFloat, 1},
    {"Gelu", Op::kGeluErf, Kind::kFloat, 1},
    {"SoftPlus", Op::kSoftPlus, Kind::kFloat, 1},
    {"Mish", Op::kMish, Kind::kFloat, 1},
    {"HSwish", Op::kHSwish, Kind::kFloat, 1},
    {"HSigmoid", Op::kHSigmoid, Kind::kFloat, 1},
    {"SoftSign", Op::kSoftSign, Kind::kFloat, 1},
    {"Sin", Op::kSin, Kind::kFloat, 1},
    {"Cos", Op::kCos, Kind::kFloat, 1},
    {"Tan", Op::kTan, Kind::kFloat, 1},
    {"Asin", Op::kAsin, Kind::kFloat, 1},
    {"Acos", Op::kAcos, Kind::kFloat, 1},
    {"Atan", Op::kAtan, Kind::kFloat, 1},
    {"Sinh", Op::kSinh, Kind::kFloat, 1},
    {"Cosh", Op::kCosh, Kind::kFloat, 1},
    {"Asinh", Op::kAsinh, Kind::kFloat, 1},
    {"Acosh", Op::kAcosh, Kind::kFloat, 1},
    {"Atanh", Op::kAtanh, Kind::kFloat, 1},
    {"Clamp", Op::kClamp, Kind::kFloat, 1},
    {"Elu", Op::kElu, Kind::kFloat, 1},
    {"Selu", Op::kSelu, Kind::kFloat, 1},
    {"Swish", Op::kSwish, Kind::kFloat, 1},
    {"HardSigmoid", Op::kHardSigmoid, Kind::kFloat, 1},
    {"IsNaN", Op::kIsNaN, Kind::kTest, 1},
    {"IsFinite", Op::kIsFinite, Kind::kTest, 1},
    {"IsInf", Op::kIsInf, Kind::kTest, 1},
    {"Equal", Op::kEqual, Kind::kComparison, 2},
    {"NotEqual", Op::kNotEqual, Kind::kComparison, 2},
    {"Less", Op::kLess, Kind::kComparison, 2},
    {"LessEqual", Op::kLessEqual, Kind::kComparison, 2},
    {"Greater", Op::kGreater, Kind::kComparison, 2},
    {"GreaterEqual", Op::kGreaterEqual, Kind::kComparison, 2},
    {"BitwiseAnd", Op::kLogicalAnd, Kind::kLogic, 2},
    {"BitwiseOr", Op::kLogicalOr, Kind::kLogic, 2},
    {"BitwiseXor", Op::kLogicalXor, Kind::kLogic, 2},
    {"BitwiseNot", Op::kLogicalNot, Kind::kLogic, 1},
    {"LogicalAnd", Op::kLogicalAnd, Kind::kLogic, 2},
    {"LogicalOr", Op::kLogicalOr, Kind::kLogic, 2},
    {"LogicalXor", Op::kLogicalXor, Kind::kLogic, 2},
    {"Xor", Op::kLogicalXor, Kind::kLogic, 2},
    {"LogicalNot", Op::kLogicalNot, Kind::kLogic, 1},
    {"Select", Op::kSelect, Kind::kSelect, 3},
    {"Convert", Op::kCopy, Kind::kConvert, 1},
    {"ConvertLike", Op::kCopy, Kind::kConvert, 1},
};

const Row* RowOf(const Node& node) {
  static const auto& rows = *[] {
    auto* all = new std::unordered_map<std::string, const Row*>;
    for (const Row& row : kRows) {
      all->emplace(std::string(row.type.type()), &row);
    }
    return all;
  }();
  if (!node.op().custom_opset.empty()) return nullptr;
  const auto it = rows.find(std::string(node.op().type));
  return it == rows.end() ? nullptr : it->second;
}

// Types all of whose numbers f32 holds, with what becomes of them in programs.
bool IsNarrow(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kF16:
    case ElementType::kBf16:
    case ElementType::kBoolean:
    case ElementType::kU8:
    case ElementType::kI8:
    case ElementType::kU16:
    case ElementType::kI16:
      return true;
    default:
      return false;
  }
}

bool IsUsualFloat(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 ||
         type == ElementType::kBf16;
}

bool IsWideInteger(ElementType type) {
  return type == ElementType::kI32 || type == ElementType::kI64;
}

bool AllInputs(const Node& node, int count, ElementType type) {
  for (int i = 0; i < count; ++i) {
    if (node.input(i).type() != type) return false;
  }
  return true;
}

// u8 to i8 wraps, which is no matter of f32: only what cannot wrap but when it
// is stored.
bool ConvertsWell(ElementType from, ElementType to) {
  if (IsNarrow(from) && (IsUsualFloat(to) || to == ElementType::kBoolean)) {
    return true;
  }
  if (IsWideInteger(from)) return IsUsualFloat(to);
  if (IsNarrow(from)) return IsNarrow(to) || IsWideInteger(to);
  return false;
}

bool TypesFit(const Node& node, const Row& row) {
  const ElementType result = node.port().type;
  const ElementType first = node.input(0).type();
  switch (row.kind) {
    case Kind::kFloat:
      return result == ElementType::kF32 &&
             AllInputs(node, row.operands, ElementType::kF32);
    case Kind::kTest:
      return first == ElementType::kF32;
    case Kind::kComparison:
      return IsNarrow(first) && AllInputs(node, 2, first);
    case Kind::kLogic:
      return AllInputs(node, row.operands, ElementType::kBoolean) &&
             result == ElementType::kBoolean;
    case Kind::kSelect:
      return first == ElementType::kBoolean && IsNarrow(result) &&
             node.input(1).type() == result && node.input(2).type() == result;
    case Kind::kConvert:
      return ConvertsWell(first, result);
  }
  return false;
}

// The constant that an input holds, if it holds one number.
const Tensor* ScalarOf(const Node& node, int i) {
  if (i >= node.input_count() || !node.input(i)) return nullptr;
  const Tensor* tensor = PlanBuilder::ConstantOf(node.input(i));
  return tensor != nullptr && tensor->element_count() == 1 ? tensor : nullptr;
}

AutoBroadcast BroadcastOf(const Node& node) {
  if (const auto* binary = node.As<BinaryAttributes>()) {
    return binary->auto_broadcast;
  }
  if (const auto* divide = node.As<DivideAttributes>()) {
    return divide->auto_broadcast;
  }
  if (const auto* quantize = node.As<FakeQuantizeAttributes>()) {
    return quantize->auto_broadcast;
  }
  return AutoBroadcast::kNumpy;
}

Op OpOf(const Node& node, const Row& row) {
  if (const auto* round = node.As<RoundAttributes>()) {
    return round->mode == RoundMode::kHalfToEven ? Op::kRoundHalfToEven
                                                 : Op::kRoundHalfAwayFromZero;
  }
  const auto* gelu = node.As<GeluAttributes>();
  if (gelu != nullptr && gelu->approximation_mode == GeluMode::kTanh) {
    return Op::kGeluTanh;
  }
  return row.op;
}

std::vector<float> ParametersOf(const Node& node, Op op) {
  if (const auto* clamp = node.As<ClampAttributes>()) {
    return {static_cast<float>(clamp->min), static_cast<float>(clamp->max)};
  }
  if (const auto* elu = node.As<EluAttributes>()) {
    return {static_cast<float>(elu->alpha)};
  }
  if (const auto* test = node.As<IsInfAttributes>()) {
    return {test->detect_negative ? 1.0f : 0.0f,
            test->detect_positive ? 1.0f : 0.0f};
  }
  if (const auto* quantize = node.As<FakeQuantizeAttributes>()) {
    return {static_cast<float>(quantize->levels)};
  }
  std::vector<float> parameters(ParameterCount(op), 1.0f);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor* scalar = ScalarOf(node, static_cast<int>(i) + 1);
    if (scalar == nullptr) continue;
    parameters[i] = static_cast<float>(scalar->ElementAsDouble(0));
  }
  return parameters;
}

bool ParametersAreConstant(const Node& node, const Row& row) {
  for (int i = row.operands; i < node.input_count(); ++i) {
    if (row.kind == Kind::kConvert) return true;  // ConvertLike
    if (node.input(i) && ScalarOf(node, i) == nullptr) return false;
  }
  return true;
}

// Limits of FakeQuantize may have more axes than the data, of one element.
bool HasMoreAxes(const Node& node, int operands) {
  const int rank = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)).rank();
  for (int i = 0; i < operands; ++i) {
    if (PlanBuilder::ShapeOf(node.input(i)).rank() > rank) return true;
  }
  return false;
}

}  // namespace

std::vector<OpType> InstructionTypes() {
  std::vector<OpType> types;
  for (const Row& row : kRows) types.push_back(row.type);
  return types;
}

bool IsInstruction(const Node& node) {
  const Row* row = RowOf(node);
  if (row == nullptr || node.input_count() < row->operands) return false;
  if (node.output_count() != 1 || BroadcastOf(node) == AutoBroadcast::kPdpd) {
    return false;
  }
  return TypesFit(node, *row) && ParametersAreConstant(node, *row) &&
         !HasMoreAxes(node, row->operands);
}

bool ComputesByElement(const Node& node) {
  const Row* row = RowOf(node);
  return row != nullptr && row->kind == Kind::kFloat;
}

int OperandsOf(const Node& node) { return RowOf(node)->operands; }

bool MayBeUsedWithin(const Node& node) {
  if (RowOf(node)->kind != Kind::kConvert) return true;
  const ElementType type = node.port().type;
  return type == ElementType::kF32 || type == ElementType::kBoolean;
}

Shape AlignedShape(const Node& node, int i) {
  const Value value = node.input(i);
  if (i == 1 && node.Is("PRelu")) {
    const auto aligned = AlignSlope(value.shape(), node.input(0).shape());
    return aligned.ToShape().value_or(Shape());
  }
  return PlanBuilder::ShapeOf(value);
}

ElementwiseProgram::Builder::Value AddInstruction(
    const Node& node, absl::Span<const int> operands,
    ElementwiseProgram::Builder& program) {
  const Row& row = *RowOf(node);
  if (row.kind == Kind::kConvert && node.port().type == ElementType::kBoolean) {
    return program.Op(Op::kNotEqual, {operands[0], program.Constant(0)});
  }
  const Op op = OpOf(node, row);
  if (op == Op::kPRelu) {
    if (const Tensor* slope = ScalarOf(node, 1)) {
      return program.Op(Op::kLeakyRelu, {operands[0]},
                        {static_cast<float>(slope->ElementAsDouble(0))});
    }
  }
  return program.Op(op, operands, ParametersOf(node, op));
}

}  // namespace dovetail::cpu
