#include "dovetail/extensions/image/image.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/extensions/image/codecs.h"

namespace dovetail {
namespace {

bool LooksLikePng(absl::string_view bytes) {
  return absl::StartsWith(bytes, "\x89PNG\r\n\x1a\n");
}
bool LooksLikeJpeg(absl::string_view bytes) {
  return absl::StartsWith(bytes, "\xff\xd8\xff");
}

// For each output position: the two input positions and the second's weight.
struct Tap {
  int64_t first, second;
  float weight;
};

std::vector<Tap> BilinearTaps(int64_t from, int64_t to) {
  std::vector<Tap> taps(to);
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  for (int64_t i = 0; i < to; ++i) {
    const double position =
        std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0,
                   static_cast<double>(from - 1));
    const auto first = static_cast<int64_t>(position);
    taps[i] = {first, std::min(first + 1, from - 1),
               static_cast<float>(position - static_cast<double>(first))};
  }
  return taps;
}

}  // namespace

namespace image {

absl::StatusOr<Tensor> AllocateImage(int64_t height, int64_t width,
                                     int channels) {
  if (height < 1 || width < 1 || height > kMaxImagePixels / width) {
    return InvalidArgument("an image of ", height, "x", width,
                           " pixels is not read, 1 to ", kMaxImagePixels,
                           " are");
  }
  return Tensor::AllocateUninitialized(ElementType::kU8,
                                       Shape{height, width, channels});
}

}  // namespace image

absl::StatusOr<Tensor> DecodeImage(absl::string_view bytes, ImageMode mode) {
  if (LooksLikePng(bytes)) return image::DecodePng(bytes, mode);
  if (LooksLikeJpeg(bytes)) return image::DecodeJpeg(bytes, mode);
  return InvalidArgument("neither a PNG nor a JPEG file");
}

absl::StatusOr<Tensor> ReadImage(const std::string& path, ImageMode mode) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  absl::StatusOr<Tensor> image = DecodeImage(
      absl::string_view(static_cast<const char*>(file->data()), file->size()),
      mode);
  if (!image.ok()) return Annotate(image.status(), path);
  return image;
}

absl::StatusOr<Tensor> ResizeBilinear(const Tensor& image, int64_t height,
                                      int64_t width) {
  const Shape& shape = image.shape();
  if (image.type() != ElementType::kU8 || shape.rank() != 3 ||
      !image.is_contiguous() || image.element_count() == 0) {
    return InvalidArgument("not an image: ", image.ToString(0));
  }
  const int64_t channels = shape[2];
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor result,
      image::AllocateImage(height, width, static_cast<int>(channels)));
  const std::vector<Tap> rows = BilinearTaps(shape[0], height);
  const std::vector<Tap> columns = BilinearTaps(shape[1], width);
  const uint8_t* in = image.data<uint8_t>();
  uint8_t* out = result.mutable_data<uint8_t>();
  for (const Tap& row : rows) {
    const uint8_t* above = in + row.first * shape[1] * channels;
    const uint8_t* below = in + row.second * shape[1] * channels;
    for (const Tap& column : columns) {
      const int64_t left = column.first * channels;
      const int64_t right = column.second * channels;
      for (int64_t c = 0; c < channels; ++c) {
        const float top = static_cast<float>(above[left + c]) +
                          column.weight * static_cast<float>(above[right + c] -
                                                             above[left + c]);
        const float bottom =
            static_cast<float>(below[left + c]) +
            column.weight *
                static_cast<float>(below[right + c] - below[left + c]);
        *out++ = static_cast<uint8_t>(
            std::lround(top + row.weight * (bottom - top)));
      }
    }
  }
  return result;
}

}  // namespace dovetail
