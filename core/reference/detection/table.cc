#include "dovetail/core/reference/detection/table.h"

#include "dovetail/core/reference/detection/detection_output.h"
#include "dovetail/core/reference/detection/non_max_suppression.h"
#include "dovetail/core/reference/detection/prior_box.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"DetectionOutput", 0, &DetectionOutputKernel},
    {"DetectionOutput", 8, &DetectionOutputKernel},
    {"NonMaxSuppression", 1, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 3, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 4, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 5, &NonMaxSuppressionKernel},
    {"NonMaxSuppression", 9, &NonMaxSuppressionKernel},
    {"PriorBox", 0, &PriorBoxKernel},
    {"PriorBox", 8, &PriorBoxKernel},
    {"PriorBoxClustered", 0, &PriorBoxClusteredKernel},
};

}  // namespace

absl::Span<const KernelRow> DetectionKernels() { return kKernels; }

}  // namespace dovetail
