#include "dovetail/extensions/custom_kernels/size_expression.h"

#include <limits>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr size_t kMaxLength = 1024;
constexpr int kMaxDepth = 64;

bool IsOfName(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// Descends through the grammar, and computes on the way. Where it only looks at
// the form, "X / (B - 1)" is fine before B is known.
class Descent {
 public:
  Descent(absl::string_view text, NamedSizeFn names, bool only_form)
      : text_(text), names_(names), only_form_(only_form) {}

  absl::StatusOr<int64_t> Run() {
    if (text_.size() > kMaxLength) {
      return InvalidArgument("an expression of ", text_.size(),
                             " characters; at most ", kMaxLength, " are taken");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, Sum(0));
    if (Peek() != '\0') return Problem("what follows is no operator");
    return value;
  }

 private:
  template <typename... Parts>
  absl::Status Problem(const Parts&... parts) const {
    return InvalidArgument("expression '", text_.substr(0, kMaxLength),
                           "', character ", at_ + 1, ": ", parts...);
  }

  char Peek() {
    while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  absl::StatusOr<int64_t> Sum(int depth) {
    DOVETAIL_ASSIGN_OR_RETURN(int64_t value, Product(depth));
    for (char sign = Peek(); sign == '+' || sign == '-'; sign = Peek()) {
      ++at_;
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t other, Product(depth));
      DOVETAIL_ASSIGN_OR_RETURN(value, Apply(sign, value, other));
    }
    return value;
  }

  absl::StatusOr<int64_t> Product(int depth) {
    DOVETAIL_ASSIGN_OR_RETURN(int64_t value, Factor(depth));
    for (char sign = Peek(); sign == '*' || sign == '/' || sign == '%';
         sign = Peek()) {
      ++at_;
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t other, Factor(depth));
      DOVETAIL_ASSIGN_OR_RETURN(value, Apply(sign, value, other));
    }
    return value;
  }

  absl::StatusOr<int64_t> Factor(int depth) {
    if (depth >= kMaxDepth) {
      return Problem("more than ", kMaxDepth, " levels of parentheses");
    }
    const char next = Peek();
    if (next == '(') return InParentheses(depth);
    if (next == '-' || next == '+') {
      ++at_;
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, Factor(depth + 1));
      return Apply(next, 0, value);
    }
    return absl::ascii_isdigit(next) ? Number() : Name();
  }

  absl::StatusOr<int64_t> InParentheses(int depth) {
    ++at_;
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, Sum(depth + 1));
    if (Peek() != ')') return Problem("a closing parenthesis is missing");
    ++at_;
    return value;
  }

  absl::StatusOr<int64_t> Number() {
    const size_t begin = at_;
    while (at_ < text_.size() && absl::ascii_isdigit(text_[at_])) ++at_;
    int64_t value = 0;
    if (absl::SimpleAtoi(text_.substr(begin, at_ - begin), &value)) {
      return value;
    }
    return Problem("a number of more than 64 bits");
  }

  absl::StatusOr<int64_t> Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsOfName(text_[at_])) ++at_;
    const absl::string_view name = text_.substr(begin, at_ - begin);
    int64_t index = -1;
    if (!name.empty() && Peek() == '[') {
      ++at_;
      if (!absl::ascii_isdigit(Peek())) return Problem("here stands an index");
      DOVETAIL_ASSIGN_OR_RETURN(index, Number());
      if (Peek() != ']') return Problem("a closing bracket is missing");
      ++at_;
    }
    const std::optional<int64_t> value =
        name.empty() ? std::nullopt : names_(name, index);
    if (value.has_value()) return *value;
    at_ = begin;
    return Problem(
        "here stands a number, B, F, Y, X, INPUT0_DIMS[0] and the like, a "
        "macro of the kernel or a parenthesis");
  }

  absl::StatusOr<int64_t> Apply(char sign, int64_t a, int64_t b) const {
    if (only_form_) return 1;
    std::optional<int64_t> value;
    constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
    if (sign == '/' || sign == '%') {
      if (b == 0) return Problem("a division by zero");
      if (a != kMin || b != -1) value = sign == '/' ? a / b : a % b;
    } else if (sign == '*') {
      value = CheckedMultiply(a, b);
    } else if (sign == '+') {
      value = CheckedAdd(a, b);
    } else if (b != kMin) {
      value = CheckedAdd(a, -b);
    }
    if (value.has_value()) return *value;
    return Problem("more than 64 bits");
  }

  const absl::string_view text_;
  const NamedSizeFn names_;
  const bool only_form_;
  size_t at_ = 0;
};

}  // namespace

absl::Status CheckSizeExpression(absl::string_view text, NamedSizeFn names) {
  return Descent(text, names, /*only_form=*/true).Run().status();
}

absl::StatusOr<int64_t> EvaluateSizeExpression(absl::string_view text,
                                               NamedSizeFn names) {
  return Descent(text, names, /*only_form=*/false).Run();
}

}  // namespace dovetail
