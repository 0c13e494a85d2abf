#include "dovetail/core/reference/detection/table.h"

#include "dovetail/core/reference/common/floats.h"
#include "dovetail/core/reference/detection/detection_output.h"
#include "dovetail/core/reference/detection/detectron/detectron.h"
#include "dovetail/core/reference/detection/non_max_suppression.h"
#include "dovetail/core/reference/detection/prior_box.h"
#include "dovetail/core/reference/detection/proposals/proposals.h"
#include "dovetail/core/reference/detection/suppression/suppression.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"DetectionOutput", 0, &DetectionOutputKernel},
    {"DetectionOutput", 8, &DetectionOutputKernel},
    {"ExperimentalDetectronDetectionOutput", 6,
     &OnFloats<&DetectronDetectionOutputKernel>},
    {"ExperimentalDetectronGenerateProposalsSingleImage", 6,
     &OnFloats<&SingleImageProposalsKernel>},
    {"ExperimentalDetectronPriorGridGenerator", 6,
     &OnFloats<&PriorGridKernel>},
    {"ExperimentalDetectronTopKROIs", 6, &OnFloats<&TopKRoisKernel>},
    {"GenerateProposals", 9, &OnFloats<&GenerateProposalsKernel>},
    {"MatrixNms", 8, &OnFloats<&MatrixNmsKernel>},
    {"MulticlassNms", 8, &OnFloats<&MulticlassNmsKernel>},
    {"MulticlassNms", 9, &OnFloats<&MulticlassNmsKernel>},
    {"NMSRotated", 13, &NmsRotatedKernel},
    {"NonMaxSuppression", 1, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 3, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 4, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 5, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 9, &NonMaxSuppressionKernel},
    {"PriorBox", 0, &PriorBoxKernel},
    {"PriorBox", 8, &PriorBoxKernel},
    {"PriorBoxClustered", 0, &PriorBoxClusteredKernel},
    {"Proposal", 0, &OnFloats<&ProposalKernel>},
    {"Proposal", 4, &OnFloats<&ProposalKernel>},
};

}  // namespace

absl::Span<const KernelRow> DetectionKernels() { return kKernels; }

}  // namespace dovetail
