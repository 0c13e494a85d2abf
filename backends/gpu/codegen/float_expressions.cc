#include "dovetail/backends/gpu/codegen/float_expressions.h"

#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/unary.h"

namespace dovetail::gpu {
namespace {

// In a text $a, $b and $c are operands, $V is the type of vectors of floats, $I
// that of ints.
struct Row {
  const char* types;  // of the operands and the result: f32 or boolean
  const char* text;
};

// Comparisons of vectors give -1, those of scalars 1, hence "& 1"; the first
// operand of "?:" may be either. A NaN makes every comparison false, as in the
// reference kernels.
const std::map<absl::string_view, Row>& Rows() {
  static const auto& rows = *new std::map<absl::string_view, Row>{
      {"Abs", {"ff", "fabs($a)"}},
      {"Acos", {"ff", "acos($a)"}},
      {"Acosh", {"ff", "acosh($a)"}},
      {"Asin", {"ff", "asin($a)"}},
      {"Asinh", {"ff", "asinh($a)"}},
      {"Atan", {"ff", "atan($a)"}},
      {"Atanh", {"ff", "atanh($a)"}},
      {"Ceiling", {"ff", "ceil($a)"}},
      {"Cos", {"ff", "cos($a)"}},
      {"Cosh", {"ff", "cosh($a)"}},
      {"Erf", {"ff", "erf($a)"}},
      {"Exp", {"ff", "exp($a)"}},
      {"Floor", {"ff", "floor($a)"}},
      {"Log", {"ff", "log($a)"}},
      {"Negative", {"ff", "(-$a)"}},
      {"Sign", {"ff", "($a != $a ? $a : sign($a))"}},
      {"Sin", {"ff", "sin($a)"}},
      {"Sinh", {"ff", "sinh($a)"}},
      {"Sqrt", {"ff", "sqrt($a)"}},
      {"Tan", {"ff", "tan($a)"}},
      {"Tanh", {"ff", "tanh($a)"}},
      {"Relu", {"ff", "($a < 0.0f ? ($V)(0.0f) : $a)"}},
      {"Sigmoid", {"ff", "(1.0f / (1.0f + exp(-$a)))"}},
      {"SoftSign", {"ff", "($a / (1.0f + fabs($a)))"}},
      {"SoftPlus", {"ff", "(fmax($a, 0.0f) + log1p(exp(-fabs($a))))"}},
      {"Mish", {"ff", "($a * tanh(fmax($a, 0.0f) + log1p(exp(-fabs($a)))))"}},
      {"HSigmoid", {"ff", "(fmin(fmax($a + 3.0f, 0.0f), 6.0f) / 6.0f)"}},
      {"HSwish", {"ff", "($a * (fmin(fmax($a + 3.0f, 0.0f), 6.0f) / 6.0f))"}},
      {"Add", {"fff", "($a + $b)"}},
      {"Subtract", {"fff", "($a - $b)"}},
      {"Multiply", {"fff", "($a * $b)"}},
      {"Divide", {"fff", "($a / $b)"}},
      {"Power", {"fff", "pow($a, $b)"}},
      {"Maximum", {"fff", "($a < $b ? $b : $a)"}},
      {"Minimum", {"fff", "($b < $a ? $b : $a)"}},
      {"SquaredDifference", {"fff", "(($a - $b) * ($a - $b))"}},
      {"IsNaN", {"fb", "(isnan($a) & 1)"}},
      {"IsFinite", {"fb", "(isfinite($a) & 1)"}},
      {"Equal", {"ffb", "(($a == $b) & 1)"}},
      {"NotEqual", {"ffb", "(($a != $b) & 1)"}},
      {"Greater", {"ffb", "(($a > $b) & 1)"}},
      {"GreaterEqual", {"ffb", "(($a >= $b) & 1)"}},
      {"Less", {"ffb", "(($a < $b) & 1)"}},
      {"LessEqual", {"ffb", "(($a <= $b) & 1)"}},
      {"LogicalNot", {"bb", "(1 - $a)"}},
      {"LogicalAnd", {"bbb", "($a & $b)"}},
      {"LogicalOr", {"bbb", "($a | $b)"}},
      {"LogicalXor", {"bbb", "($a ^ $b)"}},
      {"Select", {"bfff", "($a != 0 ? $b : $c)"}},
  };
  return rows;
}

// Operations whose text depends on attributes, with the same marks.
std::string TextByAttributes(const Node& node) {
  if (const auto* round = node.As<RoundAttributes>()) {
    return round->mode == RoundMode::kHalfToEven ? "rint($a)" : "round($a)";
  }
  if (const auto* clamp = node.As<ClampAttributes>()) {
    const std::string min = FloatLiteral(clamp->min);
    const std::string max = FloatLiteral(clamp->max);
    return absl::StrCat("($a < ", min, " ? ($V)(", min, ") : ($a > ", max,
                        " ? ($V)(", max, ") : $a))");
  }
  if (const auto* elu = node.As<EluAttributes>()) {
    return absl::StrCat("($a < 0.0f ? ", FloatLiteral(elu->alpha),
                        " * expm1($a) : $a)");
  }
  if (!node.Is("Gelu")) return "";
  const auto* gelu = node.As<GeluAttributes>();
  if (gelu == nullptr || gelu->approximation_mode == GeluMode::kErf) {
    return absl::StrCat("(0.5f * $a * (1.0f + erf($a * ",
                        FloatLiteral(M_SQRT1_2), ")))");
  }
  return absl::StrCat("(0.5f * $a * (1.0f + tanh(",
                      FloatLiteral(M_2_SQRTPI * M_SQRT1_2),
                      " * $a * (1.0f + 0.044715f * $a * $a))))");
}

char Letter(ElementType type) {
  if (type == ElementType::kF32) return 'f';
  return type == ElementType::kBoolean ? 'b' : '?';
}

bool HasTypes(const Node& node, absl::string_view types) {
  const int operands = static_cast<int>(types.size()) - 1;
  if (node.input_count() < operands) return false;
  for (int i = 0; i < operands; ++i) {
    if (!node.input(i) || Letter(node.input(i).type()) != types[i]) {
      return false;
    }
  }
  return Letter(node.port().type) == types.back();
}

// Shapes that are not aligned at their ends.
bool IsAlignedElsewhere(const Node& node) {
  AutoBroadcast mode = AutoBroadcast::kNumpy;
  if (const auto* binary = node.As<BinaryAttributes>()) {
    mode = binary->auto_broadcast;
  } else if (const auto* divide = node.As<DivideAttributes>()) {
    mode = divide->auto_broadcast;
  }
  return mode == AutoBroadcast::kPdpd &&
         node.input(0).shape() != node.input(1).shape();
}

}  // namespace

bool IsRegisterType(ElementType type) { return Letter(type) != '?'; }

bool HasExpression(const Node& node) {
  if (!node.op().custom_opset.empty() || node.output_count() != 1) return false;
  const auto row = Rows().find(node.op().type);
  if (row != Rows().end()) {
    return HasTypes(node, row->second.types) && !IsAlignedElsewhere(node);
  }
  return !TextByAttributes(node).empty() && HasTypes(node, "ff");
}

int OperandsOf(const Node& node) {
  const auto row = Rows().find(node.op().type);
  if (row == Rows().end()) return 1;
  return static_cast<int>(absl::string_view(row->second.types).size()) - 1;
}

std::string ExpressionOf(const Node& node,
                         absl::Span<const std::string> operands, int lanes) {
  const auto row = Rows().find(node.op().type);
  std::string text =
      row != Rows().end() ? row->second.text : TextByAttributes(node);
  const std::string suffix = lanes == 1 ? "" : absl::StrCat(lanes);
  std::vector<std::pair<std::string, std::string>> marks = {
      {"$V", absl::StrCat("float", suffix)}};
  constexpr const char* kOperands[] = {"$a", "$b", "$c"};
  for (size_t i = 0; i < operands.size(); ++i) {
    marks.emplace_back(kOperands[i], operands[i]);
  }
  return absl::StrReplaceAll(text, marks);
}

std::string FloatLiteral(double value) {
  const auto number = static_cast<float>(value);
  if (std::isnan(number)) return "NAN";
  if (std::isinf(number)) return number > 0 ? "INFINITY" : "(-INFINITY)";
  const std::string text = absl::StrFormat("%af", number);
  return number < 0 ? absl::StrCat("(", text, ")") : text;
}

}  // namespace dovetail::gpu
