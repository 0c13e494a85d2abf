// The two file formats; image.h chooses between them.
#ifndef DOVETAIL_EXTENSIONS_IMAGE_CODECS_H_
#define DOVETAIL_EXTENSIONS_IMAGE_CODECS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/extensions/image/image.h"

namespace dovetail::image {

absl::StatusOr<Tensor> DecodePng(absl::string_view bytes, ImageMode mode);
absl::StatusOr<Tensor> DecodeJpeg(absl::string_view bytes, ImageMode mode);

// An uninitialised image; kInvalidArgument when it has no or too many pixels.
absl::StatusOr<Tensor> AllocateImage(int64_t height, int64_t width,
                                     int channels);

}  // namespace dovetail::image

#endif  // DOVETAIL_EXTENSIONS_IMAGE_CODECS_H_
