// Images as tensors: reading PNG and JPEG, writing PNG, resizing.
//
// An image is a u8 tensor [height, width, channels] with 1 (grey) or 3 (red,
// green, blue) channels.
#ifndef DOVETAIL_EXTENSIONS_IMAGE_IMAGE_H_
#define DOVETAIL_EXTENSIONS_IMAGE_IMAGE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

enum class ImageMode {
  kAsStored,  // grey stays grey, everything else becomes RGB
  kRgb,
  kGrey,  // by the luminance of the format's own library
};

// Larger images are refused before memory is allocated.
inline constexpr int64_t kMaxImagePixels = int64_t{1} << 28;

// The image in a PNG or JPEG file, told apart by the first bytes. An alpha
// channel is laid over black. kNotFound when there is no such file,
// kInvalidArgument, naming the file, when it is neither or damaged.
absl::StatusOr<Tensor> ReadImage(const std::string& path,
                                 ImageMode mode = ImageMode::kAsStored);
// The same from the bytes of a file.
absl::StatusOr<Tensor> DecodeImage(absl::string_view bytes,
                                   ImageMode mode = ImageMode::kAsStored);

// kInvalidArgument when the tensor is no image as described above.
absl::Status WritePng(const std::string& path, const Tensor& image);

// Another size by bilinear interpolation; pixel centres at half (as OpenCV and
// OpenVINO's half_pixel do it).
absl::StatusOr<Tensor> ResizeBilinear(const Tensor& image, int64_t height,
                                      int64_t width);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_IMAGE_IMAGE_H_
