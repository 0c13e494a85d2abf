#include "dovetail/core/ops/control/table.h"

#include "dovetail/core/ops/control/if.h"
#include "dovetail/core/ops/control/loop.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr uint32_t kTraits = kHasBodies | kDataDependentShape;

constexpr OpInfo kOps[] = {
    {"If", 8, "If", OpsetRange::Since(8), {1, Arity::kAny}, {1, Arity::kAny},
     &MakeAttributes<NoAttributes>, &InferIf, {kAllTypes, OpTypes::kOutput},
     kTraits},
    {"Loop", 5, "Loop", OpsetRange::Since(5), {2, Arity::kAny},
     {1, Arity::kAny}, &MakeAttributes<NoAttributes>, &InferLoop,
     {kAllTypes, OpTypes::kOutput}, kTraits},
    {"TensorIterator", 0, "TensorIterator", OpsetRange::Since(1),
     {1, Arity::kAny}, {1, Arity::kAny}, &MakeAttributes<NoAttributes>,
     &InferTensorIterator, {kAllTypes, OpTypes::kOutput}, kTraits},
};

}  // namespace

absl::Span<const OpInfo> ControlOps() { return kOps; }

}  // namespace dovetail
