#include "dovetail/core/ops/detection/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/detection/detection_output.h"
#include "dovetail/core/ops/detection/detectron/detection_output.h"
#include "dovetail/core/ops/detection/detectron/regions.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"
#include "dovetail/core/ops/detection/prior_box.h"
#include "dovetail/core/ops/detection/proposals/generate_proposals.h"
#include "dovetail/core/ops/detection/proposals/proposal.h"
#include "dovetail/core/ops/detection/suppression/multiclass_nms.h"
#include "dovetail/core/ops/detection/suppression/nms_rotated.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DetectionOutput", 0, "DetectionOutput", OpsetRange::Between(1, 7), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputV0Attributes>,
     &InferDetectionOutput, kAnyFloat},
    {"DetectionOutput", 8, "DetectionOutput", OpsetRange::Since(8), {3, 5},
     {1, 1}, &MakeAttributes<DetectionOutputAttributes>, &InferDetectionOutput,
     kAnyFloat},
    {"ExperimentalDetectronDetectionOutput", 6,
     "ExperimentalDetectronDetectionOutput", OpsetRange::Since(6), {4, 4},
     {3, 3}, &MakeAttributes<DetectronDetectionOutputAttributes>,
     &InferDetectronDetectionOutput, kAnyFloat},
    {"ExperimentalDetectronGenerateProposalsSingleImage", 6,
     "ExperimentalDetectronGenerateProposalsSingleImage", OpsetRange::Since(6),
     {4, 4}, {2, 2}, &MakeAttributes<SingleImageProposalsAttributes>,
     &InferSingleImageProposals, kAnyFloat},
    {"ExperimentalDetectronPriorGridGenerator", 6,
     "ExperimentalDetectronPriorGridGenerator", OpsetRange::Since(6), {3, 3},
     {1, 1}, &MakeAttributes<PriorGridAttributes>, &InferPriorGrid, kAnyFloat},
    {"ExperimentalDetectronTopKROIs", 6, "ExperimentalDetectronTopKROIs",
     OpsetRange::Since(6), {2, 2}, {1, 1}, &MakeAttributes<TopKRoisAttributes>,
     &InferTopKRois, kAnyFloat},
    {"GenerateProposals", 9, "GenerateProposals", OpsetRange::Since(9), {4, 4},
     {3, 3}, &MakeAttributes<GenerateProposalsAttributes>,
     &InferGenerateProposals, kAnyFloat, kDataDependentShape},
    {"MatrixNms", 8, "MatrixNms", OpsetRange::Since(8), {2, 2}, {3, 3},
     &MakeAttributes<MatrixNmsAttributes>, &InferMatrixNms, kAnyFloat,
     kDataDependentShape},
    {"MulticlassNms", 8, "MulticlassNms", OpsetRange::Between(8, 8), {2, 2},
     {3, 3}, &MakeAttributes<MulticlassNmsAttributes>, &InferMulticlassNms,
     kAnyFloat, kDataDependentShape},
    {"MulticlassNms", 9, "MulticlassNms", OpsetRange::Since(9), {2, 3}, {3, 3},
     &MakeAttributes<MulticlassNmsAttributes>, &InferMulticlassNms, kAnyFloat,
     kDataDependentShape},
    {"NMSRotated", 13, "NMSRotated", OpsetRange::Since(13), {5, 5}, {3, 3},
     &MakeAttributes<NmsRotatedAttributes>, &InferNmsRotated, kAnyFloat,
     kDataDependentShape},
    {"NonMaxSuppression", 1, "NonMaxSuppression", OpsetRange::Between(1, 2),
     {2, 5}, {1, 1}, &MakeNonMaxSuppression1Attributes, &InferNonMaxSuppression,
     kAnyFloat, kDataDependentShape},
    {"NonMaxSuppression", 3, "NonMaxSuppression", OpsetRange::Between(3, 3),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kAnyFloat, kDataDependentShape},
    {"NonMaxSuppression", 4, "NonMaxSuppression", OpsetRange::Between(4, 4),
     {2, 5}, {1, 1}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kAnyFloat, kDataDependentShape},
    {"NonMaxSuppression", 5, "NonMaxSuppression", OpsetRange::Between(5, 8),
     {2, 6}, {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kAnyFloat, kDataDependentShape},
    {"NonMaxSuppression", 9, "NonMaxSuppression", OpsetRange::Since(9), {2, 6},
     {3, 3}, &MakeAttributes<NonMaxSuppressionAttributes>,
     &InferNonMaxSuppression, kAnyFloat, kDataDependentShape},
    {"PriorBox", 0, "PriorBox", OpsetRange::Between(1, 7), {2, 2}, {1, 1},
     &MakePriorBox0Attributes, &InferPriorBox, kAnyInteger},
    {"PriorBox", 8, "PriorBox", OpsetRange::Since(8), {2, 2}, {1, 1},
     &MakeAttributes<PriorBoxAttributes>, &InferPriorBox, kAnyInteger},
    {"PriorBoxClustered", 0, "PriorBoxClustered", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<PriorBoxClusteredAttributes>,
     &InferPriorBoxClustered, kAnyInteger},
    {"Proposal", 0, "Proposal", OpsetRange::Between(1, 3), {3, 3}, {1, 1},
     &MakeAttributes<ProposalAttributes>, &InferProposal, kAnyFloat},
    {"Proposal", 4, "Proposal", OpsetRange::Since(4), {3, 3}, {2, 2},
     &MakeAttributes<ProposalAttributes>, &InferProposal, kAnyFloat},
};

}  // namespace

absl::Span<const OpInfo> DetectionOps() { return kOps; }

}  // namespace dovetail
