// JPEG by libjpeg-turbo's own interface, which reports errors without longjmp.
#include <turbojpeg.h>

#include "absl/cleanup/cleanup.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/image/codecs.h"

namespace dovetail::image {

absl::StatusOr<Tensor> DecodeJpeg(absl::string_view bytes, ImageMode mode) {
  const tjhandle decoder = tjInitDecompress();
  if (decoder == nullptr) {
    return ResourceExhausted("no JPEG decoder: ", tjGetErrorStr2(nullptr));
  }
  const absl::Cleanup destroy = [decoder] { tjDestroy(decoder); };
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  int width = 0, height = 0, subsampling = 0, colour_space = 0;
  if (tjDecompressHeader3(decoder, data, bytes.size(), &width, &height,
                          &subsampling, &colour_space) != 0) {
    return InvalidArgument("damaged JPEG: ", tjGetErrorStr2(decoder));
  }
  const bool grey = mode == ImageMode::kGrey ||
                    (mode == ImageMode::kAsStored && colour_space == TJCS_GRAY);
  DOVETAIL_ASSIGN_OR_RETURN(Tensor image,
                            AllocateImage(height, width, grey ? 1 : 3));
  if (tjDecompress2(decoder, data, bytes.size(),
                    image.mutable_data<unsigned char>(), width, /*pitch=*/0,
                    height, grey ? TJPF_GRAY : TJPF_RGB,
                    TJFLAG_ACCURATEDCT) != 0 &&
      tjGetErrorCode(decoder) == TJERR_FATAL) {
    return InvalidArgument("damaged JPEG: ", tjGetErrorStr2(decoder));
  }
  return image;
}

}  // namespace dovetail::image
