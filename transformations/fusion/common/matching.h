// Questions that rules ask of the nodes before the last one of what they
// recognise.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_MATCHING_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_MATCHING_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// What a node gives: its first output.
Value OutputOf(const Node& node);
// The node that gives `value`, when it is of that type; else null.
const Node* NodeOf(Value value, OpType type);
// The same, when moreover its only output is read only once.
const Node* InnerNode(Value value, OpType type);
bool IsReadOnce(Value value);

// Whether a number in a model stands for `wanted`: the same to five digits, or
// as f16 or bf16 hold `wanted` or what it is the reciprocal of.
bool IsNearly(double number, double wanted);

// The number, when `value` is a constant of one element by which arithmetic on
// `x` does not get more axes than x has.
std::optional<double> ScalarBeside(Value value, Value x);

// x and c of x op c, or of c op x where the operation commutes.
struct WithScalar {
  Value x;
  double number = 0;
};
std::optional<WithScalar> OperandAndScalar(const Node& node);

// The factors of a product of at most three values, through multiplications
// that nobody else reads and quotients by numbers.
struct Product {
  double number = 1;
  std::vector<Value> values;
};
Product ProductOf(const Node& last);

// scale * of + shift, through nodes that nobody else reads.
struct Affine {
  Value of;
  double scale = 1;
  double shift = 0;
};
Affine AffineOf(Value last);

// Coefficients of x^0 … x^3.
using Polynomial = std::array<double, 4>;
// `value` as a polynomial of x, when it is one.
std::optional<Polynomial> PolynomialOf(Value value, Value x);
// Whether it is that one.
bool IsPolynomial(Value value, Value x, const Polynomial& wanted);

// x of -x and of x * -1; else the empty Value.
Value NegatedIn(Value value);

// x of x * x and of x^2; else the empty Value.
Value SquareRootOf(Value value);

// Whether a node on two tensors broadcasts as NumPy does.
bool BroadcastsAsNumpy(const Node& node);

bool IsFloatValue(Value value);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_MATCHING_H_
