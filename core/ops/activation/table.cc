#include "dovetail/core/ops/activation/table.h"

#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/row_types.h"

namespace dovetail {
namespace {

// An operation without attributes, in opset `since` and all after it.
constexpr OpInfo Row(absl::string_view type, int version,
                     absl::string_view ir_type, int since, Arity inputs,
                     InferFn infer, OpTypes types) {
  return {type,   version, ir_type, OpsetRange::Since(since), inputs,
          {1, 1}, &MakeAttributes<NoAttributes>, infer, types};
}

constexpr OpInfo kOps[] = {
    {"Elu", 0, "Elu", OpsetRange::Since(1), {1, 1}, {1, 1},
     &MakeAttributes<EluAttributes>, &InferActivation, kAnyNumericOrBoolean},
    {"Gelu", 0, "Gelu", OpsetRange::Between(2, 6), {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferActivation, kAnyFloat},
    {"Gelu", 7, "Gelu", OpsetRange::Since(7), {1, 1}, {1, 1},
     &MakeAttributes<GeluAttributes>, &InferActivation, kAnyFloat},
    Row("HardSigmoid", 0, "HardSigmoid", 1, {3, 3}, &InferParametricActivation,
        kAnyNumericOrBoolean),
    Row("HSigmoid", 5, "HSigmoid", 5, {1, 1}, &InferActivation, kAnyNumeric),
    Row("HSwish", 4, "HSwish", 4, {1, 1}, &InferActivation, kAnyNumeric),
    Row("Mish", 4, "Mish", 4, {1, 1}, &InferActivation, kAnyFloat),
    Row("PRelu", 0, "PReLU", 1, {2, 2}, &InferPRelu, kAnyNumericOrBoolean),
    Row("Relu", 0, "ReLU", 1, {1, 1}, &InferRelu, kAnyNumeric),
    Row("Selu", 0, "Selu", 1, {3, 3}, &InferParametricActivation, kAnyFloat),
    Row("Sigmoid", 0, "Sigmoid", 1, {1, 1}, &InferActivation, kAnyNumeric),
    Row("SoftPlus", 4, "SoftPlus", 4, {1, 1}, &InferActivation, kAnyFloat),
    Row("SoftSign", 9, "SoftSign", 9, {1, 1}, &InferActivation, kAnyFloat),
    Row("Swish", 4, "Swish", 4, {1, 2}, &InferParametricActivation,
        kAnyFloat),
    Row("Tanh", 0, "Tanh", 1, {1, 1}, &InferActivation, kAnyNumeric),
};

}  // namespace

absl::Span<const OpInfo> ActivationOps() { return kOps; }

}  // namespace dovetail
