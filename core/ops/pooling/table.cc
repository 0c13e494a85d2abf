#include "dovetail/core/ops/pooling/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/pooling/adaptive_pool.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"AvgPool", 1, "AvgPool", OpsetRange::Between(1, 13), {1, 1}, {1, 1},
     &MakeAttributes<AvgPoolAttributes>, &InferAvgPool, kAnyNumericOrBoolean},
    {"AvgPool", 14, "AvgPool", OpsetRange::Between(14, 15), {1, 1}, {1, 1},
     &MakeAttributes<AvgPoolAttributes>, &InferAvgPool, kAnyNumericOrBoolean},
    {"AvgPool", 16, "AvgPool", OpsetRange::Since(16), {1, 1}, {1, 1},
     &MakeAttributes<AvgPool16Attributes>, &InferAvgPool, kAnyNumericOrBoolean},
    {"MaxPool", 1, "MaxPool", OpsetRange::Between(1, 7), {1, 1}, {1, 1},
     &MakeAttributes<MaxPoolAttributes>, &InferMaxPool, kAnyNumericOrBoolean},
    {"MaxPool", 8, "MaxPool", OpsetRange::Between(8, 13), {1, 1}, {2, 2},
     &MakeAttributes<MaxPool8Attributes>, &InferMaxPool8, kAnyNumericOrBoolean},
    {"MaxPool", 14, "MaxPool", OpsetRange::Since(14), {1, 1}, {2, 2},
     &MakeAttributes<MaxPool8Attributes>, &InferMaxPool8, kAnyNumericOrBoolean},
    {"AdaptiveAvgPool", 8, "AdaptiveAvgPool", OpsetRange::Since(8), {2, 2},
     {1, 1}, &MakeAttributes<NoAttributes>, &InferAdaptiveAvgPool,
     kAnyNumericOrBoolean},
    {"AdaptiveMaxPool", 8, "AdaptiveMaxPool", OpsetRange::Since(8), {2, 2},
     {2, 2}, &MakeAttributes<AdaptiveMaxPoolAttributes>, &InferAdaptiveMaxPool,
     kAnyNumericOrBoolean},
};

}  // namespace

absl::Span<const OpInfo> PoolingOps() { return kOps; }

}  // namespace dovetail
