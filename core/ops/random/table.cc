#include "dovetail/core/ops/random/table.h"

#include "dovetail/core/ops/random/random.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Multinomial", 13, "Multinomial", OpsetRange::Since(13), {2, 2}, {1, 1},
     &MakeAttributes<MultinomialAttributes>, &InferMultinomial,
     kNondeterministic},
    {"RandomUniform", 8, "RandomUniform", OpsetRange::Since(8), {3, 3}, {1, 1},
     &MakeAttributes<RandomUniformAttributes>, &InferRandomUniform,
     kNondeterministic},
};

}  // namespace

absl::Span<const OpInfo> RandomOps() { return kOps; }

}  // namespace dovetail
