#include "dovetail/backends/gpu/steps/attention/key_panels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/transpose_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr int kTile = 16;

constexpr char kStart[] = R"(
  const int first = get_global_id(0) * width;
  const int matrix = get_global_id(1);
  const __global float* from = k + offsets[matrix];
  __global float* to =
      packed + (matrix * (int)get_global_size(0) * width + first) * depth;
)";

constexpr char kElements[] = R"(
  for (int i = 0; i < width; ++i) {
    const __global float* key = from + (first + i) * k_row;
    for (int e = 0; e < depth; ++e) {
      to[e * width + i] = first + i < keys ? key[e] : 0.0f;
    }
  }
)";

// The last tile of a key begins earlier, and moves some elements again.
std::string Tiles() {
  std::string text =
      "  for (int c = 0; c < width; c += 16)\n"
      "  for (int tile = 0; tile < depth; tile += 16) {\n"
      "    const int e = min(tile, depth - 16);\n"
      "    const __global float* key = from + (first + c) * k_row + e;\n"
      "    const int left = keys - first - c;\n";
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    const float16 a", i, " = ", i,
                    " < left ? vload16(0, key + ", i,
                    " * k_row) : (float16)(0.0f);\n");
  }
  absl::StrAppend(&text, TransposeText("float16"));
  for (int i = 0; i < kTile; ++i) {
    absl::StrAppend(&text, "    vstore16(e", i, ", 0, to + (e + ", i,
                    ") * width + c);\n");
  }
  return text + "  }\n";
}

std::vector<int64_t> Distinct(std::vector<int64_t> offsets) {
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

int64_t MatrixElements(const AttentionLayout& layout, int width) {
  return CeilDivide(layout.keys, int64_t{width}) * width * layout.depth;
}

}  // namespace

int64_t KeyPanelElements(const AttentionLayout& layout, int width) {
  return static_cast<int64_t>(Distinct(layout.k.offsets).size()) *
         MatrixElements(layout, width);
}

absl::StatusOr<KeyPanels> PackKeys(const Node& node,
                                   const AttentionLayout& layout, int width,
                                   PlanBuilder& builder) {
  const std::vector<int64_t> matrices = Distinct(layout.k.offsets);
  KeyPanels panels;
  for (const int64_t offset : layout.k.offsets) {
    const auto found =
        std::lower_bound(matrices.begin(), matrices.end(), offset);
    panels.offsets.push_back((found - matrices.begin()) *
                             MatrixElements(layout, width));
  }
  Launch launch;
  launch.kernel = "pack_keys_f32";
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand keys,
      builder.Read(layout.k.value, {ElementType::kF32, Layout::kPlanar}));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets, AddInts(matrices, builder));
  panels.operand =
      builder.Scratch(KeyPanelElements(layout, width) * sizeof(float));
  panels.operand.format.type = ElementType::kF32;
  AddInput(launch, "k", "float", keys);
  AddInput(launch, "offsets", "int", offsets);
  AddOutput(launch, "packed", "float", panels.operand);
  AddInt(launch, "keys", layout.keys);
  AddInt(launch, "depth", layout.depth);
  AddInt(launch, "width", width);
  AddInt(launch, "k_row", layout.k.row_stride);
  const bool has_tiles = width % kTile == 0 && layout.depth >= kTile;
  launch.writer.Group(1);
  launch.writer.Body(absl::StrCat(kStart, has_tiles ? Tiles() : kElements));
  launch.range.dims = 2;
  launch.range.global[0] = CeilDivide(layout.keys, int64_t{width});
  launch.range.global[1] = static_cast<int64_t>(matrices.size());
  std::fill_n(launch.range.local, 2, 1);
  builder.AddLaunch(node, std::move(launch));
  return panels;
}

}  // namespace dovetail::gpu
