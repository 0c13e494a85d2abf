// The common part of NonMaxSuppression and NMSRotated: all but the shape of
// the boxes.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SELECTION_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SELECTION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/suppression/box_cover.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// How much boxes number `a` and `b`, counted over all images, overlap.
using OverlapFn = absl::FunctionRef<float(int64_t a, int64_t b)>;

// Selects from scores [B, C, N] in input 1 by the limits in inputs 2 to 5 and
// writes all outputs. `boxes`, where all of them are finite and overlap as
// BoxOverlap says, and sets of `make_cover` make it faster.
absl::Status SelectBoxes(KernelContext& context, bool sort,
                         ElementType output_type, OverlapFn overlap,
                         absl::Span<const Box> boxes = {},
                         MakeBoxCoverFn make_cover = &MakeBoxCover);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SELECTION_H_
