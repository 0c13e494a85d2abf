#include "dovetail/bench/vpu/resized.h"

#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

int64_t ExtentAt(int64_t extent, int64_t from, int64_t to) {
  constexpr int kMostHalvings = 5;
  constexpr int64_t kMostPadding = 8;
  for (int halvings = 0; halvings <= kMostHalvings; ++halvings) {
    const int64_t padding = extent - CeilDivide(from, int64_t{1} << halvings);
    if (padding < 0 || padding > kMostPadding) continue;
    return CeilDivide(to, int64_t{1} << halvings) + padding;
  }
  return extent;
}

}  // namespace

Dump Resized(Dump dump, int64_t from, int64_t to) {
  for (Layer& layer : dump.network) {
    ConvShape& s = layer.shape;
    for (int64_t* extent : {&s.in_width, &s.in_height, &s.out_width,
                            &s.out_height, &s.kernel_x, &s.kernel_y}) {
      *extent = ExtentAt(*extent, from, to);
    }
    layer.elements = s.out_channels * s.out_width * s.out_height;
    if (layer.kind == LayerKind::kInput) layer.host_bytes = layer.elements;
    if (layer.macs > 0) {
      layer.macs = layer.elements * s.in_channels * s.kernel_x * s.kernel_y;
    }
  }
  return dump;
}

}  // namespace dovetail::vpu
