#include "dovetail/backends/gpu/steps/convolution/depthwise.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"
#include "dovetail/backends/gpu/steps/convolution/common/packing.h"
#include "dovetail/backends/gpu/steps/convolution/common/window_text.h"
#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kBlock = 16;
constexpr Layout kLayout = Layout::kBlocked16;
// Rows of larger windows are not written out.
constexpr int64_t kMaxColumns = 11;

struct DepthwiseBlock {
  int lanes, pixels;
  int64_t columns, stride, dilation;  // of the window, along a row
  ElementType data, stored;           // as DirectBlock has them
};

// A work item has a row of a vector of channels. $0: type of data, $1: lanes,
// $2: type of weights.
constexpr char kStart[] = R"(
  const int py = get_global_id(0) % height;
  const int pz = get_global_id(0) / height % depth;
  const int item = get_global_id(1);
  const int channel = item % items * $1;
  const int image = item / items;
  if (channel >= (channels + 15) / 16 * 16) return;
  const int block = image * ((channels + 15) / 16) + channel / 16;
  const __global $0* xi =
      x + block * x_depth * x_height * x_width * 16 + channel % 16;
  const __global $2* wi =
      w + channel / 16 * taps_z * taps_y * taps_x * 16 + channel % 16;
  const int y_row =
      ((block * depth + pz) * height + py) * width * 16 + channel % 16;
  const int left = channels - channel;
  const int top_z = pz * stride_z - pad_z, top_y = py * stride_y - pad_y;
  const int first_z = first_tap(top_z, dilation_z);
  const int last_z = last_tap(top_z, dilation_z, taps_z, x_depth);
  const int first_y = first_tap(top_y, dilation_y);
  const int last_y = last_tap(top_y, dilation_y, taps_y, x_height);
)";

// Which taps of a window that begins at `top` are in the data.
constexpr char kTapRange[] = R"(
inline int first_tap(int top, int dilation) {
  return (max(-top, 0) + dilation - 1) / dilation;
}
inline int last_tap(int top, int dilation, int taps, int extent) {
  return min(taps, (max(extent - top, 0) + dilation - 1) / dilation);
}
)";

// $0: pixels, $1: stride, $2: what the window spans.
constexpr char kRow[] = R"(
  for (int tile = 0; tile < width; tile += $0) {
    const int px = min(tile, width - $0);
    const int ix = px * $1 - pad_x;
    const bool is_inside = ix >= 0 && ix + ($0 - 1) * $1 + $2 <= x_width;
)";

// $0: type of data, $1: of weights.
constexpr char kTaps[] = R"(
    for (int z = first_z; z < last_z; ++z)
    for (int y_ = first_y; y_ < last_y; ++y_) {
      const int iz = top_z + z * dilation_z, iy = top_y + y_ * dilation_y;
      const __global $0* xr = xi + ((iz * x_height + iy) * x_width + ix) * 16;
      const __global $1* wr = wi + (z * taps_y + y_) * taps_x * 16;
)";

// $0: type of vectors, $1: sums, $2: pixels, $3: the epilogue, $4: the
// statement that stores.
constexpr char kStore[] = R"(
    const $0 sums[] = {$1};
    for (int p = 0; p < $2; ++p) {
      $0 v = sums[p];
      const int at = y_row + (px + p) * 16;
$3      $4;
    }
  }
)";

// The sums that the number `i` of the data along a row is part of.
std::string ProductsOf(int64_t i, const DepthwiseBlock& block) {
  std::string text;
  for (int64_t k = 0; k < block.columns; ++k) {
    const int64_t distance = i - k * block.dilation;
    const int64_t p = distance / block.stride;
    if (distance < 0 || distance % block.stride != 0 || p >= block.pixels) {
      continue;
    }
    absl::StrAppend(&text, " c", p, " = fma(v, f", k, ", c", p, ");");
  }
  return text;
}

std::string Products(const DepthwiseBlock& block, bool guarded) {
  const std::string type = FloatVector(block.lanes);
  const auto load = [&](ElementType stored, absl::string_view array,
                        int64_t offset) {
    return LoadFloats(stored, absl::StrCat(array, " + ", offset), block.lanes,
                      /*aligned=*/true);
  };
  std::string text;
  for (int64_t k = 0; k < block.columns; ++k) {
    absl::StrAppend(&text, "        const ", type, " f", k, " = ",
                    load(block.stored, "wr", k * kBlock), ";\n");
  }
  const int64_t span = (block.pixels - 1) * block.stride +
                       (block.columns - 1) * block.dilation + 1;
  for (int64_t i = 0; i < span; ++i) {
    const std::string products = ProductsOf(i, block);
    if (products.empty()) continue;
    absl::StrAppend(&text, "        ");
    if (guarded) {
      absl::StrAppend(&text, "if (ix + ", i, " >= 0 && ix + ", i,
                      " < x_width) ");
    }
    absl::StrAppend(&text, "{ const ", type,
                    " v = ", load(block.data, "xr", i * kBlock), ";", products,
                    " }\n");
  }
  return text;
}

std::string Body(const DepthwiseBlock& block, const std::string& epilogue) {
  const std::string type = FloatVector(block.lanes);
  std::string text = absl::Substitute(kStart, ClType(block.data), block.lanes,
                                      ClType(block.stored));
  absl::StrAppend(&text,
                  absl::Substitute(kRow, block.pixels, block.stride,
                                   (block.columns - 1) * block.dilation + 1));
  std::string sums;
  for (int p = 0; p < block.pixels; ++p) {
    absl::StrAppend(&text, "    ", type, " c", p, " = (", type, ")(0.0f);\n");
    absl::StrAppend(&sums, p == 0 ? "c" : ", c", p);
  }
  absl::StrAppend(
      &text, absl::Substitute(kTaps, ClType(block.data), ClType(block.stored)),
      "      if (is_inside) {\n", Products(block, /*guarded=*/false),
      "      } else {\n", Products(block, /*guarded=*/true), "      }\n    }\n",
      absl::Substitute(kStore, type, sums, block.pixels, epilogue,
                       KeepLanes(block.stored, block.lanes)));
  return text;
}

DepthwiseBlock BlockOf(const ConvolutionProblem& problem, int lanes) {
  const WindowAxis& axis = problem.axes[2];
  DepthwiseBlock block;
  block.lanes = lanes;
  const int64_t widest = axis.output % 14 == 0 || axis.output >= 28 ? 14 : 7;
  block.pixels = static_cast<int>(std::min(widest, axis.output));
  if (lanes < 16) block.pixels = std::min(block.pixels, 4);
  block.columns = axis.kernel;
  block.stride = axis.stride;
  block.dilation = axis.dilation;
  return block;
}

void AddSizes(const ConvolutionProblem& problem, int64_t items,
              Launch& launch) {
  const auto& [z, y, x] = problem.axes;
  const std::pair<const char*, int64_t> ints[] = {
      {"width", x.output},        {"height", y.output},
      {"depth", z.output},        {"channels", problem.groups},
      {"items", items},           {"x_depth", z.input},
      {"x_height", y.input},      {"x_width", x.input},
      {"taps_z", z.kernel},       {"taps_y", y.kernel},
      {"taps_x", x.kernel},       {"pad_z", z.pad_begin},
      {"pad_y", y.pad_begin},     {"pad_x", x.pad_begin},
      {"stride_z", z.stride},     {"stride_y", y.stride},
      {"dilation_z", z.dilation}, {"dilation_y", y.dilation}};
  for (const auto& [name, value] : ints) {
    AddInt(launch, name, value);
  }
}

// Of groups that are channels, as if they were the outputs of one input.
absl::StatusOr<Operand> PackChannels(ConvolutionProblem problem,
                                     ElementType stored, PlanBuilder& builder) {
  problem.outputs = problem.groups;
  problem.output_stride = problem.group_stride;
  problem.groups = 1;
  PackedForm form;
  form.channels.outputs = problem.outputs;
  for (int i = 0; i < 3; ++i) form.phase[i].taps = problem.axes[i].kernel;
  form.input_block = 1;
  form.output_block = kBlock;
  form.stored = stored;
  return PackWeights(problem, form, builder);
}

absl::Status Emit(const ConvolutionProblem& problem, PlanBuilder& builder) {
  const auto epilogue =
      ProductEpilogue::Find(PlanBuilder::OutputOf(*problem.node), 1, builder);
  DepthwiseBlock block = BlockOf(problem, builder.lanes().lanes);
  block.stored = epilogue.stored();
  Launch launch;
  launch.kernel = KernelName("convolution_depthwise", block.stored);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand data,
      builder.Read(problem.data, builder.StoredFormat(problem.data, kLayout)));
  block.data = data.format.type;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                            PackChannels(problem, block.stored, builder));
  AddInput(launch, "x", ClType(block.data), data);
  AddInput(launch, "w", ClType(block.stored), weights);
  DOVETAIL_RETURN_IF_ERROR(epilogue.AddOperands(kLayout, builder, launch));
  AddOutput(launch, "y", ClType(block.stored),
            builder.Write(epilogue.result(), {block.stored, kLayout}));
  epilogue.Fuse(builder);
  const int64_t items =
      CeilDivide(problem.groups, kBlock) * kBlock / block.lanes;
  AddSizes(problem, items, launch);
  AddKeepFunction(block.lanes, launch.writer);
  launch.writer.Helper(kTapRange);
  launch.writer.Body(
      Body(block, epilogue.AddTextOfBlocks(block.lanes, launch)));
  launch.range.dims = 2;
  launch.range.global[0] = problem.axes[0].output * problem.axes[1].output;
  launch.range.global[1] = problem.batch * items;
  if (block.lanes == 16) {
    launch.writer.Group(1);
    std::fill_n(launch.range.local, 2, 1);
  }
  builder.AddLaunch(*problem.node, std::move(launch));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitDepthwiseConvolution(const Node& node,
                                              PlanBuilder& builder) {
  const auto problem = FloatProblemOf(node);
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (!problem.has_value() || problem->transposed || problem->groups == 1 ||
      problem->inputs != 1 || problem->outputs != 1 ||
      problem->axes[2].kernel > kMaxColumns ||
      StoredElements(problem->source, kLayout) > kMax ||
      StoredElements(problem->result, kLayout) > kMax) {
    return false;
  }
  DOVETAIL_RETURN_IF_ERROR(Emit(*problem, builder));
  return true;
}

}  // namespace dovetail::gpu
