#include "dovetail/core/ops/normalization/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/lrn.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"
#include "dovetail/core/ops/normalization/softmax.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"BatchNormInference", 0, "BatchNormInference", OpsetRange::Between(1, 4),
     {5, 5}, {1, 1}, &MakeAttributes<BatchNormAttributes>, &InferBatchNorm,
     {kAnyFloat, 2}},
    {"BatchNormInference", 5, "BatchNormInference", OpsetRange::Since(5),
     {5, 5}, {1, 1}, &MakeAttributes<BatchNormAttributes>, &InferBatchNorm,
     kAnyFloat},
    {"GRN", 0, "GRN", OpsetRange::Since(1), {1, 1}, {1, 1},
     &MakeAttributes<GrnAttributes>, &InferGrn, kAnyNumericOrBoolean},
    {"GroupNormalization", 12, "GroupNormalization", OpsetRange::Since(12),
     {3, 3}, {1, 1}, &MakeAttributes<GroupNormAttributes>, &InferGroupNorm,
     kAnyFloat},
    {"LogSoftmax", 5, "LogSoftmax", OpsetRange::Since(5), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax, kAnyNumeric},
    {"LRN", 0, "LRN", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<LrnAttributes>, &InferLrn, kAnyNumericOrBoolean},
    {"MVN", 0, "MVN", OpsetRange::Between(2, 5), {1, 1}, {1, 1},
     &MakeAttributes<MvnAttributes>, &InferMvn, kAnyNumericOrBoolean},
    {"MVN", 6, "MVN", OpsetRange::Since(6), {2, 2}, {1, 1},
     &MakeAttributes<Mvn6Attributes>, &InferMvn6, kAnyNumericOrBoolean},
    {"NormalizeL2", 0, "NormalizeL2", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<NormalizeL2Attributes>, &InferNormalizeL2, kAnyNumeric},
    {"Softmax", 1, "SoftMax", OpsetRange::Between(1, 7), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax1, kAnyNumericOrBoolean},
    {"Softmax", 8, "SoftMax", OpsetRange::Since(8), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax, kAnyNumericOrBoolean},
};

}  // namespace

absl::Span<const OpInfo> NormalizationOps() { return kOps; }

}  // namespace dovetail
