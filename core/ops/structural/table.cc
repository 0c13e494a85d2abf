#include "dovetail/core/ops/structural/table.h"

#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Parameter", 0, "Parameter", OpsetRange::Since(1), {0, 0}, {1, 1},
     &MakeAttributes<ParameterAttributes>, &InferParameter,
     {kAllTypes, OpTypes::kOutput}, kStructural},
    {"Constant", 0, "Const", OpsetRange::Since(1), {0, 0}, {1, 1},
     &MakeAttributes<ConstantAttributes>, &InferConstant,
     {kAllTypes, OpTypes::kOutput}, kStructural},
    {"Result", 0, "Result", OpsetRange::Since(1), {1, 1}, {0, 0},
     &MakeAttributes<NoAttributes>, &InferResult, kAllTypes,
     kStructural},
    {"Identity", 16, "Identity", OpsetRange::Since(16), {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferIdentity, kAllTypes},
};

}  // namespace

absl::Span<const OpInfo> StructuralOps() { return kOps; }

}  // namespace dovetail
