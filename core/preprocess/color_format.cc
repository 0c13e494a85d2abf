#include "dovetail/core/preprocess/color_format.h"

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// In the order of the enumeration.
struct FormatRow {
  absl::string_view name;
  int channels;  // 0: not known, or planes
};
constexpr FormatRow kFormats[] = {
    {"UNDEFINED", 0},
    {"NV12_SINGLE_PLANE", 0},
    {"NV12_TWO_PLANES", 0},
    {"I420_SINGLE_PLANE", 0},
    {"I420_THREE_PLANES", 0},
    {"RGB", 3},
    {"BGR", 3},
    {"GRAY", 1},
    {"RGBX", 4},
    {"BGRX", 4},
};

}  // namespace

absl::string_view ColorFormatName(ColorFormat format) {
  return kFormats[static_cast<int>(format)].name;
}

absl::StatusOr<ColorFormat> ParseColorFormat(absl::string_view name) {
  std::vector<absl::string_view> names;
  for (const FormatRow& row : kFormats) {
    if (row.name == name) return static_cast<ColorFormat>(names.size());
    names.push_back(row.name);
  }
  return InvalidArgument("no colour format '", name, "'; there are ",
                         absl::StrJoin(names, ", "));
}

std::vector<std::string> PlaneNames(ColorFormat format) {
  if (format == ColorFormat::kNv12TwoPlanes) return {"Y", "UV"};
  if (format == ColorFormat::kI420ThreePlanes) return {"Y", "U", "V"};
  return {};
}

bool IsYuv(ColorFormat format) {
  return ColorFormat::kNv12SinglePlane <= format &&
         format <= ColorFormat::kI420ThreePlanes;
}

int ChannelsOf(ColorFormat format) {
  return kFormats[static_cast<int>(format)].channels;
}

}  // namespace dovetail
