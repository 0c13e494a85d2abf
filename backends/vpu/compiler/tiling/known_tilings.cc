#include "dovetail/backends/vpu/compiler/tiling/known_tilings.h"

namespace dovetail::vpu {
namespace {

constexpr int64_t kAll = 4096;

// A shape as far as it counts (0: any), and its tile.
struct Row {
  int64_t in_channels, in_extent, out_channels, out_extent;
  int64_t kernel, stride;
  KnownTile tile;
};

// Layers of networks that were tuned by hand: VGG, Inception, DenseNet, YOLO.
constexpr Row kRows[] = {
    {512, 28, 512, 28, 3, 1, {172, kAll, kAll}},
    {256, 56, 256, 56, 3, 1, {128, 30, kAll}},
    {64, 224, 64, 224, 3, 1, {kAll, 82, 82}},
    {128, 112, 128, 112, 3, 1, {32, 32, kAll}},
    {512, 7, 4096, 0, 0, 0, {64, kAll, kAll}},
    {1088, 17, 128, 0, 0, 0, {544, kAll, kAll}},
    {1088, 17, 192, 0, 0, 0, {544, kAll, kAll}},
    {1024, 17, 384, 0, 0, 0, {512, kAll, kAll}},
    {192, 71, 0, 35, 0, 0, {96, kAll, kAll}},
    {256, 128, 256, 0, 0, 0, {64, 15, kAll}},
    {512, 64, 512, 0, 0, 0, {128, 10, kAll}},
    {384, 56, 64, 56, 1, 1, {kAll, kAll, 20}},
    {2112, 14, 1056, 14, 1, 1, {556, kAll, kAll}},
    {256, 52, 512, 26, 3, 2, {128, kAll, kAll}},
    {256, 23, 640, 23, 3, 1, {kAll, 14, kAll}},
};

bool Is(int64_t wanted, int64_t value) {
  return wanted == 0 || wanted == value;
}

bool Matches(const Row& row, const ConvShape& shape) {
  return row.in_channels == shape.in_channels &&
         row.in_extent == shape.in_height && row.in_extent == shape.in_width &&
         Is(row.out_channels, shape.out_channels) &&
         Is(row.out_extent, shape.out_height) &&
         Is(row.kernel, shape.kernel_x) && Is(row.kernel, shape.kernel_y) &&
         Is(row.stride, shape.stride);
}

}  // namespace

std::optional<KnownTile> FindKnownTile(const Machine& machine,
                                       const ConvShape& shape) {
  if (machine.cmx_slices < 9) return std::nullopt;
  for (const Row& row : kRows) {
    if (Matches(row, shape)) return row.tile;
  }
  return std::nullopt;
}

}  // namespace dovetail::vpu
