// Integer expressions over the sizes of a tensor: "B*F", "(X + 15) / 16 * 16".
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// What the letters of an expression stand for.
struct NamedSizes {
  int64_t b = 1, f = 1, y = 1, x = 1;
};

// Whether this is an expression of integers, B, F, Y and X in either case, + -
// * / %, signs and parentheses, of at most 1024 characters and 64 levels.
// kInvalidArgument quotes it and says what is wrong where.
absl::Status CheckSizeExpression(absl::string_view text);

// Its value, in 64 bits. Errors as above, and kInvalidArgument for a division
// by zero and an overflow.
absl::StatusOr<int64_t> EvaluateSizeExpression(absl::string_view text,
                                               const NamedSizes& sizes);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_
