#include "dovetail/core/ops/random/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/random/random.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Multinomial", 13, "Multinomial", OpsetRange::Since(13), {2, 2}, {1, 1},
     &MakeAttributes<MultinomialAttributes>, &InferMultinomial, kAnyFloat,
     kNondeterministic},
    {"RandomUniform", 8, "RandomUniform", OpsetRange::Since(8), {3, 3}, {1, 1},
     &MakeAttributes<RandomUniformAttributes>, &InferRandomUniform,
     {kFloatTypes | kIndexTypes, OpTypes::kOutput}, kNondeterministic},
};

}  // namespace

absl::Span<const OpInfo> RandomOps() { return kOps; }

}  // namespace dovetail
