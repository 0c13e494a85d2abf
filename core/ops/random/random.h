// RandomUniform and Multinomial.
#ifndef DOVETAIL_CORE_OPS_RANDOM_RANDOM_H_
#define DOVETAIL_CORE_OPS_RANDOM_RANDOM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Whose generator a stream is equal to.
enum class RandomAlignment { kTensorflow, kPytorch };
absl::Span<const EnumName> EnumNames(RandomAlignment);

struct RandomUniformAttributes : public AttributesOf<RandomUniformAttributes> {
  ElementType output_type = ElementType::kDynamic;
  // Both 0: another stream each time.
  uint64_t global_seed = 0;
  uint64_t op_seed = 0;
  RandomAlignment alignment = RandomAlignment::kTensorflow;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
    visitor.Visit("op_seed", op_seed);
    visitor.Visit("global_seed", global_seed);
    visitor.Visit("alignment", alignment);
  }
};

struct MultinomialAttributes : public AttributesOf<MultinomialAttributes> {
  ElementType convert_type = ElementType::kI64;
  bool with_replacement = false;
  bool log_probs = false;
  uint64_t global_seed = 0;
  uint64_t op_seed = 0;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("convert_type", convert_type);
    visitor.Visit("with_replacement", with_replacement);
    visitor.Visit("log_probs", log_probs);
    visitor.Visit("global_seed", global_seed);
    visitor.Visit("op_seed", op_seed);
  }
};

// Input 0 is the output's shape, inputs 1 and 2 the interval [min, max).
absl::Status InferRandomUniform(InferContext& context);
// Input 0 is [batch, classes] or [classes], input 1 the number of samples n;
// the output is [batch, n] or [n].
absl::Status InferMultinomial(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RANDOM_RANDOM_H_
