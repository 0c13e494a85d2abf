// Activation functions: Relu, PRelu, Elu, Selu, Gelu, Swish, HSwish, HSigmoid,
// HardSigmoid, Mish, SoftPlus, SoftSign, Sigmoid, Tanh. Each gives a tensor of
// its first input's type and shape.
#ifndef DOVETAIL_CORE_OPS_ACTIVATION_ACTIVATION_H_
#define DOVETAIL_CORE_OPS_ACTIVATION_ACTIVATION_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

struct EluAttributes : public AttributesOf<EluAttributes> {
  double alpha = 1;  // what the function tends to, negated, for small x
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("alpha", alpha);
  }
};

enum class GeluMode { kErf, kTanh };
absl::Span<const EnumName> EnumNames(GeluMode);

// Of Gelu-7; Gelu-0 is by erf.
struct GeluAttributes : public AttributesOf<GeluAttributes> {
  GeluMode approximation_mode = GeluMode::kErf;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("approximation_mode", approximation_mode);
  }
};

// Of one input, whose type and shape the output has.
absl::Status InferActivation(InferContext& context);
absl::Status InferRelu(InferContext& context);
// Input 1, the slope, has one element a channel, or broadcasts by numpy rules;
// it may be of another type than input 0.
absl::Status InferPRelu(InferContext& context);
// The other inputs hold one element each, of the type of input 0: Swish with
// beta, HardSigmoid with alpha and beta, Selu with alpha and lambda.
absl::Status InferParametricActivation(InferContext& context);

// The shape under which a PRelu's slope broadcasts to data of that shape: one
// of the form [C] lies along axis 1, where data has C there.
PartialShape AlignSlope(const PartialShape& slope, const PartialShape& data);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ACTIVATION_ACTIVATION_H_
