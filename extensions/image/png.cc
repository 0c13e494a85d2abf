// PNG by libpng's simplified interface, which reports errors without longjmp.
#include <png.h>

#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/image/codecs.h"

namespace dovetail {
namespace image {

absl::StatusOr<Tensor> DecodePng(absl::string_view bytes, ImageMode mode) {
  png_image png;
  std::memset(&png, 0, sizeof(png));
  png.version = PNG_IMAGE_VERSION;
  const absl::Cleanup free_png = [&png] { png_image_free(&png); };
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    return InvalidArgument("damaged PNG: ", png.message);
  }
  const bool grey =
      mode == ImageMode::kGrey || (mode == ImageMode::kAsStored &&
                                   (png.format & PNG_FORMAT_FLAG_COLOR) == 0);
  png.format = grey ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor image,
                            AllocateImage(png.height, png.width, grey ? 1 : 3));
  const png_color black = {0, 0, 0};
  if (png_image_finish_read(&png, &black, image.mutable_raw_data(),
                            /*row_stride=*/0, /*colormap=*/nullptr) == 0) {
    return InvalidArgument("damaged PNG: ", png.message);
  }
  return image;
}

}  // namespace image

absl::Status WritePng(const std::string& path, const Tensor& image) {
  const Shape& shape = image.shape();
  if (image.type() != ElementType::kU8 || shape.rank() != 3 ||
      (shape[2] != 1 && shape[2] != 3) || !image.is_contiguous()) {
    return InvalidArgument("not an image: ", ElementTypeName(image.type()),
                           shape.ToString(),
                           ", want contiguous u8[h,w,1 or 3]");
  }
  if (shape[0] < 1 || shape[1] < 1 || shape[0] * shape[1] > kMaxImagePixels) {
    return InvalidArgument("an image of ", shape[0], "x", shape[1],
                           " pixels cannot be written");
  }
  png_image png;
  std::memset(&png, 0, sizeof(png));
  png.version = PNG_IMAGE_VERSION;
  png.height = static_cast<png_uint_32>(shape[0]);
  png.width = static_cast<png_uint_32>(shape[1]);
  png.format = shape[2] == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  if (png_image_write_to_file(&png, path.c_str(), /*convert_to_8_bit=*/0,
                              image.raw_data(), /*row_stride=*/0,
                              /*colormap=*/nullptr) == 0) {
    return Unavailable("cannot write ", path, ": ", png.message);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
