// Elementwise operations as text.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSIONS_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/backends/gpu/codegen/expressions/functions.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::gpu {

// What a node computes of its first inputs, element by element, in registers
// (registers.h).
struct Expression {
  // With the marks of functions.h, $a, $b, ... for operands, and $p and $q for
  // numbers.
  std::string text;
  MarkedTypes types;
  int operands = 1;
  // Attributes, arguments of the kernel rather than text: floats where the
  // operands are, else ints. Each is exact.
  std::vector<double> numbers;

  // A value of type RegisterType(types.result, lanes).
  std::string Text(absl::Span<const std::string> operands,
                   absl::Span<const std::string> numbers, int lanes) const;
  // Functions that the text calls.
  std::vector<std::string> Functions(int lanes) const {
    return FunctionsOf(text, types, lanes);
  }
};

// Nothing: the node is no such operation, or not for these types. Operands may
// broadcast. Divisors of integers have to be other than 0.
std::optional<Expression> ExpressionOf(const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSIONS_H_
