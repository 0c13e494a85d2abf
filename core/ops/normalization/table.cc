#include "dovetail/core/ops/normalization/table.h"

#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/lrn.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"
#include "dovetail/core/ops/normalization/softmax.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"BatchNormInference", 0, "BatchNormInference", OpsetRange::Between(1, 4),
     {5, 5}, {1, 1}, &MakeAttributes<BatchNormAttributes>, &InferBatchNorm},
    {"BatchNormInference", 5, "BatchNormInference", OpsetRange::Since(5),
     {5, 5}, {1, 1}, &MakeAttributes<BatchNormAttributes>, &InferBatchNorm},
    {"GRN", 0, "GRN", OpsetRange::Since(1), {1, 1}, {1, 1},
     &MakeAttributes<GrnAttributes>, &InferGrn},
    {"GroupNormalization", 12, "GroupNormalization", OpsetRange::Since(12),
     {3, 3}, {1, 1}, &MakeAttributes<GroupNormAttributes>, &InferGroupNorm},
    {"LogSoftmax", 5, "LogSoftmax", OpsetRange::Since(5), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax},
    {"LRN", 0, "LRN", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<LrnAttributes>, &InferLrn},
    {"MVN", 0, "MVN", OpsetRange::Between(2, 5), {1, 1}, {1, 1},
     &MakeAttributes<MvnAttributes>, &InferMvn},
    {"MVN", 6, "MVN", OpsetRange::Since(6), {2, 2}, {1, 1},
     &MakeAttributes<Mvn6Attributes>, &InferMvn6},
    {"NormalizeL2", 0, "NormalizeL2", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<NormalizeL2Attributes>, &InferNormalizeL2},
    {"Softmax", 1, "SoftMax", OpsetRange::Between(1, 7), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax1},
    {"Softmax", 8, "SoftMax", OpsetRange::Since(8), {1, 1}, {1, 1},
     &MakeAttributes<SoftmaxAttributes>, &InferSoftmax},
};

}  // namespace

absl::Span<const OpInfo> NormalizationOps() { return kOps; }

}  // namespace dovetail
