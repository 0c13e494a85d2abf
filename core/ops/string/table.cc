#include "dovetail/core/ops/string/table.h"

#include "dovetail/core/ops/string/string.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"StringTensorPack", 15, "StringTensorPack", OpsetRange::Since(15), {3, 3},
     {1, 1}, &MakeAttributes<NoAttributes>, &InferStringTensorPack,
     {kStringType, OpTypes::kOutput}},
    {"StringTensorUnpack", 15, "StringTensorUnpack", OpsetRange::Since(15),
     {1, 1}, {3, 3}, &MakeAttributes<NoAttributes>, &InferStringTensorUnpack,
     kStringType, kDataDependentShape},
};

}  // namespace

absl::Span<const OpInfo> StringOps() { return kOps; }

}  // namespace dovetail
