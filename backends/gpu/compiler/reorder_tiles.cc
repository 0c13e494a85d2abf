#include "dovetail/backends/gpu/compiler/reorder_tiles.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/kernel_writer.h"
#include "dovetail/backends/gpu/codegen/transpose_text.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

constexpr int kTile = 16;
// Tiles that a work item transposes one after the other.
constexpr int64_t kTiles = 16;

// The last tile of a plane begins earlier, and moves some elements again.
constexpr char kStart[] = R"(
  const int q = get_global_id(1), blocks = (channels + 15) / 16;
  const int left = min(channels - q % blocks * 16, 16);
  const int first = get_global_id(0) * 256;
  const int planes = (q / blocks * channels + q % blocks * 16) * area;
  for (int tile = first; tile < min(first + 256, area); tile += 16) {
    const int s = min(tile, area - 16);
    const int block = (q * area + s) * 16;
)";

std::string ToBlocks() {
  std::string text = kStart;
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    const uint16 a", i, " = ", i,
                    " < left ? vload16(0, source + planes + ", i,
                    " * area + s) : (uint16)(0);\n");
  }
  absl::StrAppend(&text, TransposeText("uint16"));
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    vstore16(e", i, ", ", i,
                    ", target + block);\n");
  }
  return text + "  }\n";
}

std::string FromBlocks() {
  std::string text = kStart;
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    const uint16 a", i, " = vload16(", i,
                    ", source + block);\n");
  }
  absl::StrAppend(&text, TransposeText("uint16"));
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    if (", i, " < left) vstore16(e", i,
                    ", 0, target + planes + ", i, " * area + s);\n");
  }
  return text + "  }\n";
}

}  // namespace

std::unique_ptr<LaunchStep> MakeTileReorderStep(const Shape& shape,
                                                const Format& from,
                                                const Format& to,
                                                const LaneModel& lanes) {
  const bool to_blocks =
      from.layout == Layout::kPlanar && to.layout == Layout::kBlocked16;
  const bool from_blocks =
      from.layout == Layout::kBlocked16 && to.layout == Layout::kPlanar;
  if (lanes.lanes != kTile || (!to_blocks && !from_blocks) ||
      from.type != to.type || BitWidth(from.type) != 32) {
    return nullptr;
  }
  const int64_t channels = shape[1], area = shape.Count(2, shape.rank());
  if (area < kTile) return nullptr;
  KernelWriter writer;
  writer.Input("source", "uint");
  writer.Output("target", "uint");
  writer.Int("channels");
  writer.Int("area");
  writer.Group(1);
  writer.Body(to_blocks ? ToBlocks() : FromBlocks());
  NdRange range;
  range.dims = 2;
  range.global[0] = CeilDivide(area, kTile * kTiles);
  range.global[1] = shape[0] * CeilDivide(channels, int64_t{kTile});
  range.local[0] = range.local[1] = 1;
  auto step = std::make_unique<LaunchStep>(
      writer.Source(),
      std::vector<ScalarArgument>{static_cast<int32_t>(channels),
                                  static_cast<int32_t>(area)},
      range);
  step->element_bytes = {4, 4};
  return step;
}

}  // namespace dovetail::gpu
