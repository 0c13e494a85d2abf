// Sets of boxes that compare sixteen at a time.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_

#include <memory>

#include "dovetail/core/reference/detection/suppression/box_cover.h"

namespace dovetail {

// It answers as that of MakeBoxCover, to the bit, of boxes whose areas are
// finite; of others something.
std::unique_ptr<BoxCover> MakeVectorBoxCover();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_
