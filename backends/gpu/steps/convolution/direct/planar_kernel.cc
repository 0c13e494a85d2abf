#include "dovetail/backends/gpu/steps/convolution/direct/planar_kernel.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/convolution/common/window_text.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kMaxVectors = 4, kMaxOutputs = 4;

// $0: outputs, $1 and $2: OpenCL C's types of data and weights.
constexpr char kStart[] = R"(
  const __global $1* xi =
      x + x_start + image * x_image + pz * x_z + py * x_y + px;
  const __global $2* wi =
      w + item * (blocks * taps_z * taps_y * taps_x * $0);
)";

// $0: type of vectors, $1: sums, $2: outputs, $3: vectors, $4: lanes, $5: the
// epilogue, $6: what ends the name of functions.
constexpr char kStore[] = R"(
  const $0 sums[] = {$1};
  for (int o = 0; o < $2; ++o) {
    const int channel = item * $2 + o;
    if (channel >= channels) break;
    const int first = y_start + image * y_image + channel * y_block +
                      pz * y_z + py * y_y;
    for (int i = 0; i < $3; ++i) {
      $0 v = sums[o * $3 + i];
      const int at = first + (px + i * $4) * y_x;
$5      store_step$4$6(v, y + at, y_x);
    }
  }
)";

std::string Sum(int output, int vector) {
  return absl::StrCat("c", output, "_", vector);
}

// One element of the window.
std::string Products(const PlanarBlock& block) {
  const std::string type = FloatVector(block.lanes);
  std::string text;
  for (int i = 0; i < block.vectors; ++i) {
    absl::StrAppend(
        &text, "    const ", type, " a", i, " = ",
        LoadFloats(block.data, absl::StrCat("xt + ", i * block.lanes),
                   block.lanes),
        ";\n");
  }
  for (int o = 0; o < block.outputs; ++o) {
    absl::StrAppend(&text, "    { const ", type, " b = (", type, ")(",
                    LoadFloat(block.stored, "wi", absl::StrCat(o)), ");");
    for (int i = 0; i < block.vectors; ++i) {
      absl::StrAppend(&text, " ", Sum(o, i), " = fma(a", i, ", b, ", Sum(o, i),
                      ");");
    }
    absl::StrAppend(&text, " }\n");
  }
  absl::StrAppend(&text, "    wi += ", block.outputs, ";\n");
  return text;
}

}  // namespace

PlanarBlock ChoosePlanarBlock(int lanes, int64_t width, int64_t outputs) {
  PlanarBlock block;
  block.lanes = lanes;
  block.vectors = static_cast<int>(std::min(kMaxVectors, width / lanes));
  block.outputs = static_cast<int>(std::min(kMaxOutputs, outputs));
  return block;
}

std::string PlanarBody(const PlanarBlock& block, const std::string& epilogue) {
  const std::string type = FloatVector(block.lanes);
  std::string text =
      absl::StrCat(absl::Substitute(kPlaceText, block.pixels()),
                   absl::Substitute(kStart, block.outputs, ClType(block.data),
                                    ClType(block.stored)));
  std::string sums;
  for (int o = 0; o < block.outputs; ++o) {
    for (int i = 0; i < block.vectors; ++i) {
      absl::StrAppend(&text, "  ", type, " ", Sum(o, i), " = (", type,
                      ")(0.0f);\n");
      absl::StrAppend(&sums, sums.empty() ? "" : ", ", Sum(o, i));
    }
  }
  absl::StrAppend(
      &text, WindowLoops(block.data), Products(block), "  }\n",
      absl::Substitute(kStore, type, sums, block.outputs, block.vectors,
                       block.lanes, epilogue, StorageSuffix(block.stored)));
  return text;
}

}  // namespace dovetail::gpu
