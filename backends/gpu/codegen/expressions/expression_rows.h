// The operations whose text depends on nothing but types.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSION_ROWS_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSION_ROWS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace dovetail::gpu {

struct ExpressionRow {
  absl::string_view op;
  // A letter for each operand, and one for the result: f is f32, b boolean, s a
  // signed integer, u an unsigned one, i either, x any of all these. Types of
  // the same letter are the same.
  absl::string_view types;
  absl::string_view text;  // with the marks of an Expression
};

// Rows of the same operation are for different types.
absl::Span<const ExpressionRow> ExpressionRows();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_EXPRESSION_ROWS_H_
