#include "dovetail/core/ops/detection/table.h"

#include "dovetail/core/ops/detection/detection_output.h"
#include "dovetail/core/ops/detection/detectron/detection_output.h"
#include "dovetail/core/ops/detection/detectron/regions.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"
#include "dovetail/core/ops/detection/prior_box.h"
#include "dovetail/core/ops/detection/proposals/generate_proposals.h"
#include "dovetail/core/ops/detection/proposals/proposal.h"
#include "dovetail/core/ops/detection/suppression/multiclass_nms.h"
#include "dovetail/core/ops/detection/suppression/nms_rotated.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DetectionOutput", 0, "DetectionOutput", OpsetRange::Between(1, 7), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputV0Attributes>,
     &InferDetectionOutput},
    {"DetectionOutput", 8, "DetectionOutput", OpsetRange::Since(8), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputAttributes>, &InferDetectionOutput},
    {"ExperimentalDetectronDetectionOutput", 6,
     "ExperimentalDetectronDetectionOutput", OpsetRange::Since(6), {4, 4},
     {3, 3}, &MakeAttributes<DetectronDetectionOutputAttributes>,
     &InferDetectronDetectionOutput},
    {"ExperimentalDetectronGenerateProposalsSingleImage", 6,
     "ExperimentalDetectronGenerateProposalsSingleImage", OpsetRange::Since(6),
     {4, 4}, {2, 2}, &MakeAttributes<SingleImageProposalsAttributes>,
     &InferSingleImageProposals},
    {"ExperimentalDetectronPriorGridGenerator", 6,
     "ExperimentalDetectronPriorGridGenerator", OpsetRange::Since(6), {3, 3},
     {1, 1}, &MakeAttributes<PriorGridAttributes>, &InferPriorGrid},
    {"ExperimentalDetectronTopKROIs", 6, "ExperimentalDetectronTopKROIs",
     OpsetRange::Since(6), {2, 2}, {1, 1}, &MakeAttributes<TopKRoisAttributes>,
     &InferTopKRois},
    {"GenerateProposals", 9, "GenerateProposals", OpsetRange::Since(9), {4, 4},
     {3, 3}, &MakeAttributes<GenerateProposalsAttributes>,
     &InferGenerateProposals, kFloatTypes, kDataDependentShape},
    {"MatrixNms", 8, "MatrixNms", OpsetRange::Since(8), {2, 2}, {3, 3},
     &MakeAttributes<MatrixNmsAttributes>, &InferMatrixNms, kFloatTypes,
     kDataDependentShape},
    {"MulticlassNms", 8, "MulticlassNms", OpsetRange::Between(8, 8), {2, 2},
     {3, 3}, &MakeAttributes<MulticlassNmsAttributes>, &InferMulticlassNms,
     kFloatTypes, kDataDependentShape},
    {"MulticlassNms", 9, "MulticlassNms", OpsetRange::Since(9), {2, 3}, {3, 3},
     &MakeAttributes<MulticlassNmsAttributes>, &InferMulticlassNms, kFloatTypes,
     kDataDependentShape},
    {"NMSRotated", 13, "NMSRotated", OpsetRange::Since(13), {5, 5}, {3, 3},
     &MakeAttributes<NmsRotatedAttributes>, &InferNmsRotated, kFloatTypes,
     kDataDependentShape},
    {"NonMaxSuppression", 1, "NonMaxSuppression", OpsetRange::Between(1, 2),
     {2, 5}, {1, 1}, &MakeNonMaxSuppression1Attributes, &InferNonMaxSuppression,
     kFloatTypes, kDataDependentShape},
    {"NonMaxSuppression", 3, "NonMaxSuppression", OpsetRange::Between(3, 3),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kFloatTypes, kDataDependentShape},
    {"NonMaxSuppression", 4, "NonMaxSuppression", OpsetRange::Between(4, 4),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kFloatTypes, kDataDependentShape},
    {"NonMaxSuppression", 5, "NonMaxSuppression", OpsetRange::Between(5, 8),
     {2, 6}, {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kFloatTypes, kDataDependentShape},
    {"NonMaxSuppression", 9, "NonMaxSuppression", OpsetRange::Since(9), {2, 6},
     {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kFloatTypes, kDataDependentShape},
    {"PriorBox", 0, "PriorBox", OpsetRange::Between(1, 7), {2, 2}, {1, 1},
     &MakePriorBox0Attributes, &InferPriorBox},
    {"PriorBox", 8, "PriorBox", OpsetRange::Since(8), {2, 2}, {1, 1},
     &MakeAttributes<PriorBoxAttributes>, &InferPriorBox},
    {"PriorBoxClustered", 0, "PriorBoxClustered", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<PriorBoxClusteredAttributes>,
     &InferPriorBoxClustered},
    {"Proposal", 0, "Proposal", OpsetRange::Between(1, 3), {3, 3}, {1, 1},
     &MakeAttributes<ProposalAttributes>, &InferProposal},
    {"Proposal", 4, "Proposal", OpsetRange::Since(4), {3, 3}, {2, 2},
     &MakeAttributes<ProposalAttributes>, &InferProposal},
};

}  // namespace

absl::Span<const OpInfo> DetectionOps() { return kOps; }

}  // namespace dovetail
