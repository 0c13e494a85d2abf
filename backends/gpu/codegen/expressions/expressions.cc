#include "dovetail/backends/gpu/codegen/expressions/expressions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/codegen/expressions/conversion.h"
#include "dovetail/backends/gpu/codegen/expressions/expression_rows.h"
#include "dovetail/backends/gpu/codegen/registers.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"

namespace dovetail::gpu {
namespace {

// ---- Types ----

bool IsOfKind(ElementType type, char letter) {
  switch (letter) {
    case 'f':
      return type == ElementType::kF32;
    case 'b':
      return type == ElementType::kBoolean;
    case 's':
      return IsComputedType(type) && IsInteger(type) && IsSigned(type);
    case 'u':
      return IsComputedType(type) && IsInteger(type) && !IsSigned(type);
    case 'i':
      return IsComputedType(type) && IsInteger(type);
    default:
      return IsComputedType(type);
  }
}

// As ExpressionRow::types.
bool HasTypes(const Node& node, absl::string_view types) {
  const size_t operands = types.size() - 1;
  if (static_cast<size_t>(node.input_count()) < operands) return false;
  std::map<char, ElementType> seen;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i < operands && !node.input(i)) return false;
    const ElementType type =
        i < operands ? node.input(i).type() : node.port().type;
    if (!IsOfKind(type, types[i])) return false;
    if (seen.emplace(types[i], type).first->second != type) return false;
  }
  return true;
}

Expression Make(const Node& node, std::string text, int operands = 1,
                std::vector<double> numbers = {}) {
  return {std::move(text),
          {node.input(0).type(), node.port().type},
          operands,
          std::move(numbers)};
}

// ---- Operations with attributes ----

using MaybeExpression = std::optional<Expression>;

MaybeExpression RoundText(const Node& node) {
  if (HasTypes(node, "ii")) return Make(node, "$a");
  if (!HasTypes(node, "ff")) return std::nullopt;
  const RoundMode mode = node.As<RoundAttributes>()->mode;
  return Make(node, mode == RoundMode::kHalfToEven ? "rint($a)" : "round($a)");
}

MaybeExpression ClampText(const Node& node) {
  const auto* clamp = node.As<ClampAttributes>();
  double min = clamp->min, max = clamp->max;
  if (HasTypes(node, "ii")) {
    // Bounds are arguments, which are ints.
    constexpr double kLeast = std::numeric_limits<int32_t>::min();
    constexpr double kGreatest = std::numeric_limits<int32_t>::max();
    const ElementType type = node.port().type;
    const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
    min = std::max(std::ceil(min), IsSigned(type) ? -std::ldexp(1, bits) : 0);
    max = std::min(std::floor(max), std::ldexp(1, bits) - 1);
    if (!(min >= kLeast && min <= kGreatest) ||
        !(max >= kLeast && max <= kGreatest)) {
      return std::nullopt;
    }
    return Make(node, "max(($V)($p), min($a, ($V)($q)))", 1, {min, max});
  }
  if (!HasTypes(node, "ff")) return std::nullopt;
  return Make(node, "($a < $p ? ($V)($p) : $a > $q ? ($V)($q) : $a)", 1,
              {min, max});
}

MaybeExpression EluText(const Node& node) {
  if (!HasTypes(node, "ff")) return std::nullopt;
  return Make(node, "($a < 0.0f ? $p * expm1($a) : $a)", 1,
              {node.As<EluAttributes>()->alpha});
}

MaybeExpression GeluText(const Node& node) {
  if (!HasTypes(node, "ff")) return std::nullopt;
  const auto* gelu = node.As<GeluAttributes>();
  if (gelu == nullptr || gelu->approximation_mode == GeluMode::kErf) {
    return Make(node, "gelu_of_$V($a)");
  }
  // By way of the exponential function, which is faster than tanh:
  // (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)).
  return Make(node,
              "($a / (1.0f + exp(-$a * (1.59576912f + 0.0713548163f * $a * "
              "$a))))");
}

MaybeExpression IsInfText(const Node& node) {
  if (!HasTypes(node, "fb")) return std::nullopt;
  const auto* test = node.As<IsInfAttributes>();
  const char* const sides[] = {"(($I)(0))", "(($a == -INFINITY) & 1)",
                               "(($a == INFINITY) & 1)", "(isinf($a) & 1)"};
  return Make(
      node,
      sides[(test->detect_negative ? 1 : 0) + (test->detect_positive ? 2 : 0)]);
}

MaybeExpression DivideText(const Node& node) {
  if (!HasTypes(node, "sss")) return std::nullopt;
  return Make(node,
              node.As<DivideAttributes>()->m_pythondiv
                  ? "divide_down_$V($a, $b)"
                  : "divide_$V($a, $b)",
              2);
}

MaybeExpression PowerText(const Node& node) {
  if (!HasTypes(node, "iii")) return std::nullopt;
  const char* const greatest[] = {"UCHAR_MAX", "CHAR_MAX", "USHRT_MAX",
                                  "SHRT_MAX",  "UINT_MAX", "INT_MAX",
                                  "ULONG_MAX", "LONG_MAX"};
  const ElementType type = node.port().type;
  size_t row = IsSigned(type) ? 1 : 0;
  for (int bits = 8; bits < BitWidth(type); bits *= 2) row += 2;
  return Make(node, absl::StrCat("power_$V($a, $b, ", greatest[row], ")"), 2);
}

MaybeExpression FakeQuantizeText(const Node& node) {
  if (!HasTypes(node, "ffffff")) return std::nullopt;
  const auto levels = node.As<FakeQuantizeAttributes>()->levels;
  return Make(node, "fake_quantize_$V($a, $b, $c, $d, $e, ($V)($p))", 5,
              {static_cast<double>(levels - 1)});
}

MaybeExpression ConvertText(const Node& node) {
  const MarkedTypes types = {node.input(0).type(), node.port().type};
  if (!IsRegisterType(types.type) || !IsRegisterType(types.result)) {
    return std::nullopt;
  }
  return Make(node, ConversionText(types));
}

// The condition of vectors is as wide as what it chooses.
MaybeExpression SelectText(const Node& node) {
  if (!HasTypes(node, "biii") && !HasTypes(node, "bbbb")) return std::nullopt;
  Expression select = Make(node, "(convert_$S($a != 0) ? $b : $c)", 3);
  select.types.type = node.port().type;
  return select;
}

using TextFn = MaybeExpression (*)(const Node& node);

struct TextRow {
  OpType type;
  TextFn text;
};

TextFn FindText(const Node& node) {
  static constexpr TextRow kTexts[] = {
      {"Clamp", &ClampText},
      {"Convert", &ConvertText},
      {"ConvertLike", &ConvertText},
      {"Divide", &DivideText},
      {"Elu", &EluText},
      {"FakeQuantize", &FakeQuantizeText},
      {"Gelu", &GeluText},
      {"IsInf", &IsInfText},
      {"Power", &PowerText},
      {"Round", &RoundText},
      {"Select", &SelectText},
  };
  for (const TextRow& row : kTexts) {
    if (node.Is(row.type)) return row.text;
  }
  return nullptr;
}

// Swish has its second operand or not.
bool ReadsAll(const Node& node, const ExpressionRow& row) {
  const int operands = static_cast<int>(row.types.size()) - 1;
  return node.input_count() <= operands;
}

}  // namespace

std::optional<Expression> ExpressionOf(const Node& node) {
  if (!node.op().custom_opset.empty() || node.output_count() != 1 ||
      node.input_count() == 0 || !node.input(0)) {
    return std::nullopt;
  }
  for (const ExpressionRow& row : ExpressionRows()) {
    if (node.op().type == row.op && ReadsAll(node, row) &&
        HasTypes(node, row.types)) {
      return Make(node, std::string(row.text),
                  static_cast<int>(row.types.size()) - 1);
    }
  }
  const TextFn text = FindText(node);
  return text == nullptr ? std::nullopt : text(node);
}

std::string Expression::Text(absl::Span<const std::string> operands,
                             absl::Span<const std::string> numbers,
                             int lanes) const {
  constexpr const char* kOperands[] = {"$a", "$b", "$c", "$d", "$e"};
  constexpr const char* kNumbers[] = {"$p", "$q"};
  std::vector<std::pair<absl::string_view, absl::string_view>> marks;
  for (size_t i = 0; i < operands.size(); ++i) {
    marks.emplace_back(kOperands[i], operands[i]);
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    marks.emplace_back(kNumbers[i], numbers[i]);
  }
  return absl::StrReplaceAll(ReplaceMarks(text, types, lanes), marks);
}

}  // namespace dovetail::gpu
