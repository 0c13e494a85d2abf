#include "dovetail/core/ops/state/table.h"

#include "dovetail/core/ops/state/variable.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Assign", 3, "Assign", OpsetRange::Between(3, 5), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferAssign, kAllTypes,
     kHasSideEffect},
    {"Assign", 6, "Assign", OpsetRange::Since(6), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferAssign, kAllTypes,
     kHasSideEffect},
    {"ReadValue", 3, "ReadValue", OpsetRange::Between(3, 5), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferReadValue,
     {kAllTypes, OpTypes::kOutput}, kReadsState | kDataDependentShape},
    {"ReadValue", 6, "ReadValue", OpsetRange::Since(6), {0, 1}, {1, 1},
     &MakeAttributes<ReadValueAttributes>, &InferReadValue,
     {kAllTypes, OpTypes::kOutput}, kReadsState | kDataDependentShape},
};

}  // namespace

absl::Span<const OpInfo> StateOps() { return kOps; }

}  // namespace dovetail
