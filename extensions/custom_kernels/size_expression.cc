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

// Descends through the grammar, and computes on the way. Without sizes it only
// looks at the form, so that "X / (B - 1)" is fine before B is known.
class Descent {
 public:
  Descent(absl::string_view text, const NamedSizes* sizes)
      : text_(text), sizes_(sizes) {}

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
    return absl::ascii_isdigit(next) ? Number() : Letter(next);
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

  absl::StatusOr<int64_t> Letter(char letter) {
    constexpr NamedSizes kOnes;
    const NamedSizes& sizes = sizes_ == nullptr ? kOnes : *sizes_;
    std::optional<int64_t> value;
    switch (absl::ascii_toupper(letter)) {
      case 'B':
        value = sizes.b;
        break;
      case 'F':
        value = sizes.f;
        break;
      case 'Y':
        value = sizes.y;
        break;
      case 'X':
        value = sizes.x;
        break;
    }
    if (!value.has_value()) {
      return Problem("here stands a number, B, F, Y, X or a parenthesis");
    }
    ++at_;
    return *value;
  }

  absl::StatusOr<int64_t> Apply(char sign, int64_t a, int64_t b) const {
    if (sizes_ == nullptr) return 1;
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
  const NamedSizes* const sizes_;
  size_t at_ = 0;
};

}  // namespace

absl::Status CheckSizeExpression(absl::string_view text) {
  return Descent(text, nullptr).Run().status();
}

absl::StatusOr<int64_t> EvaluateSizeExpression(absl::string_view text,
                                               const NamedSizes& sizes) {
  return Descent(text, &sizes).Run();
}

}  // namespace dovetail
