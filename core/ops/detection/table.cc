#include "dovetail/core/ops/detection/table.h"

#include "dovetail/core/ops/detection/detection_output.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"
#include "dovetail/core/ops/detection/prior_box.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DetectionOutput", 0, "DetectionOutput", OpsetRange::Between(1, 7), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputV0Attributes>,
     &InferDetectionOutput},
    {"DetectionOutput", 8, "DetectionOutput", OpsetRange::Since(8), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputAttributes>, &InferDetectionOutput},
    {"NonMaxSuppression", 1, "NonMaxSuppression", OpsetRange::Between(1, 2),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kDataDependentShape},
    {"NonMaxSuppression", 3, "NonMaxSuppression", OpsetRange::Between(3, 3),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kDataDependentShape},
    {"NonMaxSuppression", 4, "NonMaxSuppression", OpsetRange::Between(4, 4),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kDataDependentShape},
    {"NonMaxSuppression", 5, "NonMaxSuppression", OpsetRange::Between(5, 8),
     {2, 6}, {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kDataDependentShape},
    {"NonMaxSuppression", 9, "NonMaxSuppression", OpsetRange::Since(9), {2, 6},
     {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kDataDependentShape},
    {"PriorBox", 0, "PriorBox", OpsetRange::Between(1, 7), {2, 2}, {1, 1},
     &MakeAttributes<PriorBoxAttributes>, &InferPriorBox},
    {"PriorBox", 8, "PriorBox", OpsetRange::Since(8), {2, 2}, {1, 1},
     &MakeAttributes<PriorBoxAttributes>, &InferPriorBox},
    {"PriorBoxClustered", 0, "PriorBoxClustered", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<PriorBoxClusteredAttributes>,
     &InferPriorBoxClustered},
};

}  // namespace

absl::Span<const OpInfo> DetectionOps() { return kOps; }

}  // namespace dovetail
