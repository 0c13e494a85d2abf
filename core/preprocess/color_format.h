// How a picture says its colours.
#ifndef DOVETAIL_CORE_PREPROCESS_COLOR_FORMAT_H_
#define DOVETAIL_CORE_PREPROCESS_COLOR_FORMAT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Planes as in core/ops/image/color; X is a channel that is dropped.
enum class ColorFormat {
  kUndefined,
  kNv12SinglePlane,
  kNv12TwoPlanes,
  kI420SinglePlane,
  kI420ThreePlanes,
  kRgb,
  kBgr,
  kGray,
  kRgbx,
  kBgrx,
};

// "NV12_TWO_PLANES"
absl::string_view ColorFormatName(ColorFormat format);
// kInvalidArgument lists the names there are.
absl::StatusOr<ColorFormat> ParseColorFormat(absl::string_view name);
// What the planes of a format in several are called, "Y" first; empty for the
// others.
std::vector<std::string> PlaneNames(ColorFormat format);
// NV12 and I420, in any number of planes: [N,H,W,C] for each of them.
bool IsYuv(ColorFormat format);
// Of RGB and the like; 0 where it is not known.
int ChannelsOf(ColorFormat format);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_COLOR_FORMAT_H_
