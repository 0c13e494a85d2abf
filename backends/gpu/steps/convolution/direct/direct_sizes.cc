#include "dovetail/backends/gpu/steps/convolution/direct/direct_sizes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kBlock = 16;

void AddDataDistances(const DirectGeometry& g, const Phase& phase,
                      DirectSizes& sizes) {
  const PixelPlanes padded = Padded(g.data, g.windows.padding);
  const int64_t pixel = g.data.pixel;
  const int64_t row = padded.extents[2] * pixel;
  const int64_t plane = padded.extents[1] * row;
  sizes.x_block = padded.area() * pixel;
  sizes.x_image = padded.planes / g.problem.batch * sizes.x_block;
  sizes.x_group = sizes.blocks * sizes.x_block;
  sizes.x_z = phase[0].stride * plane;
  sizes.x_y = phase[1].stride * row;
  sizes.x_tap_z = phase[0].dilation * plane;
  sizes.x_tap_y = phase[1].dilation * row;
  sizes.x_tap_x = phase[2].dilation * pixel;
  const auto start = [&](int i) {
    return phase[i].start + g.windows.padding[i].before;
  };
  sizes.x_start = start(0) * plane + start(1) * row + start(2) * pixel;
}

void AddResultDistances(const DirectGeometry& g, const Phase& phase,
                        DirectSizes& sizes) {
  const int64_t pixel = g.result_pixel;
  const std::array<int64_t, 3>& extents = g.windows.results;
  const int64_t row = extents[2] * pixel, plane = extents[1] * row;
  sizes.y_block = extents[0] * plane;
  sizes.y_image = CeilDivide(sizes.channels, pixel) * sizes.y_block;
  sizes.y_z = phase[0].output_step * plane;
  sizes.y_y = phase[1].output_step * row;
  sizes.y_x = phase[2].output_step * pixel;
  sizes.y_start = phase[0].first_output * plane + phase[1].first_output * row +
                  phase[2].first_output * pixel;
}

}  // namespace

bool DirectGeometry::NeedsPadding() const {
  const auto& padding = windows.padding;
  return std::any_of(padding.begin(), padding.end(), [](auto& axis) {
    return axis.before > 0 || axis.after > 0;
  });
}

bool DirectGeometry::IsFlat(const Phase& phase) const {
  return !NeedsPadding() &&
         std::all_of(phase.begin(), phase.end(),
                     [](const AxisPhase& axis) {
                       return axis.taps == 1 && axis.stride == 1 &&
                              axis.start == 0 && axis.output_step == 1;
                     }) &&
         data.extents == windows.results;
}

int64_t DirectGeometry::WidthOf(const Phase& phase) const {
  return IsFlat(phase) ? data.area() : phase[2].count;
}

DirectSizes DirectGeometry::SizesOf(const Phase& phase,
                                    const PackedForm& form) const {
  DirectSizes sizes = {};
  sizes.width = phase[2].count;
  sizes.height = phase[1].count;
  sizes.depth = phase[0].count;
  if (IsFlat(phase)) {
    sizes.width *= sizes.height * sizes.depth;
    sizes.height = sizes.depth = 1;
  }
  sizes.channels = problem.result[1];
  sizes.group_channels = channels.outputs;
  sizes.items = form.items();
  sizes.blocks = form.blocks();
  const int64_t last = channels.inputs - (sizes.blocks - 1) * kBlock;
  sizes.last_block = CeilDivide(last, int64_t{4}) * 4;
  sizes.taps_z = phase[0].taps;
  sizes.taps_y = phase[1].taps;
  sizes.taps_x = phase[2].taps;
  AddDataDistances(*this, phase, sizes);
  AddResultDistances(*this, phase, sizes);
  return sizes;
}

void AddSizes(const DirectSizes& sizes, Launch& launch) {
  const std::pair<const char*, int64_t> ints[] = {
      {"width", sizes.width},
      {"height", sizes.height},
      {"depth", sizes.depth},
      {"channels", sizes.channels},
      {"group_channels", sizes.group_channels},
      {"items", sizes.items},
      {"channels_first", sizes.channels_first},
      {"blocks", sizes.blocks},
      {"last_block", sizes.last_block},
      {"taps_z", sizes.taps_z},
      {"taps_y", sizes.taps_y},
      {"taps_x", sizes.taps_x},
      {"ahead_lines", sizes.ahead_lines},
      {"x_image", sizes.x_image},
      {"x_group", sizes.x_group},
      {"x_block", sizes.x_block},
      {"x_z", sizes.x_z},
      {"x_y", sizes.x_y},
      {"x_tap_z", sizes.x_tap_z},
      {"x_tap_y", sizes.x_tap_y},
      {"x_tap_x", sizes.x_tap_x},
      {"x_start", sizes.x_start},
      {"y_image", sizes.y_image},
      {"y_block", sizes.y_block},
      {"y_z", sizes.y_z},
      {"y_y", sizes.y_y},
      {"y_x", sizes.y_x},
      {"y_start", sizes.y_start}};
  for (const auto& [name, value] : ints) {
    AddInt(launch, name, value);
  }
}

}  // namespace dovetail::gpu
