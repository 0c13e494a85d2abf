// Integer expressions over the sizes of tensors: "B*F", "(X + 15) / 16 * 16",
// "INPUT0_DIMS[1] * 4".
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// What a name of an expression stands for: "B" or "b", and with an index in
// brackets "INPUT0_DIMS". `index` is -1 where there is none. Nothing: there is
// no such name.
using NamedSizeFn = absl::FunctionRef<std::optional<int64_t>(
    absl::string_view name, int64_t index)>;

// Whether this is an expression of integers, names, + - * / %, signs and
// parentheses, of at most 1024 characters and 64 levels. Of `names` only counts
// which there are. kInvalidArgument quotes it and says what is wrong where.
absl::Status CheckSizeExpression(absl::string_view text, NamedSizeFn names);

// Its value, in 64 bits. Errors as above, and kInvalidArgument for a division
// by zero and an overflow.
absl::StatusOr<int64_t> EvaluateSizeExpression(absl::string_view text,
                                               NamedSizeFn names);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SIZE_EXPRESSION_H_
