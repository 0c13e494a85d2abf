#include "dovetail/core/ops/activation/table.h"

#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

// An operation without attributes, in opset `since` and all after it.
constexpr OpInfo Row(absl::string_view type, int version,
                     absl::string_view ir_type, int since, Arity inputs,
                     InferFn infer) {
  return {type,   version, ir_type, OpsetRange::Since(since), inputs,
          {1, 1}, &MakeAttributes<NoAttributes>, infer};
}

constexpr OpInfo kOps[] = {
    {"Elu", 0, "Elu", OpsetRange::Since(1), {1, 1}, {1, 1},
     &MakeAttributes<EluAttributes>, &InferFloatActivation},
    {"Gelu", 0, "Gelu", OpsetRange::Between(2, 6), {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferFloatActivation},
    {"Gelu", 7, "Gelu", OpsetRange::Since(7), {1, 1}, {1, 1},
     &MakeAttributes<GeluAttributes>, &InferFloatActivation},
    Row("HardSigmoid", 0, "HardSigmoid", 1, {3, 3},
        &InferParametricActivation),
    Row("HSigmoid", 5, "HSigmoid", 5, {1, 1}, &InferFloatActivation),
    Row("HSwish", 4, "HSwish", 4, {1, 1}, &InferFloatActivation),
    Row("Mish", 4, "Mish", 4, {1, 1}, &InferFloatActivation),
    Row("PRelu", 0, "PReLU", 1, {2, 2}, &InferPRelu),
    Row("Relu", 0, "ReLU", 1, {1, 1}, &InferRelu),
    Row("Selu", 0, "Selu", 1, {3, 3}, &InferParametricActivation),
    Row("Sigmoid", 0, "Sigmoid", 1, {1, 1}, &InferActivation),
    Row("SoftPlus", 4, "SoftPlus", 4, {1, 1}, &InferFloatActivation),
    Row("SoftSign", 9, "SoftSign", 9, {1, 1}, &InferFloatActivation),
    Row("Swish", 4, "Swish", 4, {1, 2}, &InferParametricActivation),
    Row("Tanh", 0, "Tanh", 1, {1, 1}, &InferActivation),
};

}  // namespace

absl::Span<const OpInfo> ActivationOps() { return kOps; }

}  // namespace dovetail
