// Sets of boxes that compare sixteen at a time.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_

#include <memory>

#include "dovetail/core/reference/detection/suppression/box_cover.h"

namespace dovetail {

// A set of finite boxes. It answers as that of MakeBoxCover, to the bit.
std::unique_ptr<BoxCover> MakeVectorBoxCover();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DETECTION_VECTOR_BOX_COVER_H_
