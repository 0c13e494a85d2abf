#include "dovetail/core/ops/state/table.h"

#include "dovetail/core/ops/state/variable.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Assign", 3, "Assign", OpsetRange::Between(3, 5), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferAssign, kHasSideEffect},
    {"Assign", 6, "Assign", OpsetRange::Since(6), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferAssign, kHasSideEffect},
    {"ReadValue", 3, "ReadValue", OpsetRange::Between(3, 5), {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributes>, &InferReadValue,
     kReadsState | kDataDependentShape},
    {"ReadValue", 6, "ReadValue", OpsetRange::Since(6), {0, 1}, {1, 1},
     &MakeAttributes<ReadValueAttributes>, &InferReadValue,
     kReadsState | kDataDependentShape},
};

}  // namespace

absl::Span<const OpInfo> StateOps() { return kOps; }

}  // namespace dovetail
