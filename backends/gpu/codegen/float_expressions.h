// Elementwise operations as text.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_FLOAT_EXPRESSIONS_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_FLOAT_EXPRESSIONS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// Values in registers are vectors of so many lanes: f32 as floats, booleans as
// ints that are 0 or 1. One lane is a scalar; the texts mean the same for both.
bool IsRegisterType(ElementType type);

// Whether the node is an operation with a text whose inputs and output are f32
// or boolean.
bool HasExpression(const Node& node);

// How many of the node's inputs its text reads: the first ones.
int OperandsOf(const Node& node);

// What the node computes of `operands`, for a node with HasExpression. Vectors
// have `lanes` lanes.
std::string ExpressionOf(const Node& node,
                         absl::Span<const std::string> operands, int lanes);

// "0x1.8p+1f", and the like for infinities and NaN.
std::string FloatLiteral(double value);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_FLOAT_EXPRESSIONS_H_
