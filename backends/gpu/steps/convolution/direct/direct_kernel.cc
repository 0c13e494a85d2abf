#include "dovetail/backends/gpu/steps/convolution/direct/direct_kernel.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/prefetch_text.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/convolution/common/window_text.h"

namespace dovetail::gpu {
namespace {

// $0: stride times floats of a pixel, $1: channels of a work item, $2: floats
// of an element of its weights, $3 and $4: OpenCL C's types of data and
// weights.
constexpr char kStart[] = R"(
  const int group = item / items;
  const int in_group = item % items * $1;
  const __global $3* xi = x + x_start + image * x_image + group * x_group +
                             pz * x_z + py * x_y + px * $0;
  const __global $4* wi =
      w + item * (blocks * taps_z * taps_y * taps_x * $2);
)";

// $0: type of vectors, $1: sums, $2: pixels, $3: vectors, $4: lanes, $5: the
// epilogue, $6: the statement that stores. Padding of channels is zeros, which
// only the last group writes.
constexpr char kStore[] = R"(
  const $0 sums[] = {$1};
  for (int i = 0; i < $3; ++i) {
    const int in = in_group + i * $4;
    if (in >= (group_channels + 15) / 16 * 16) break;
    const int channel = group * group_channels + in;
    const int left = channels - channel;
    const int first = y_start + image * y_image + channel / 16 * y_block +
                      channel % 16 + pz * y_z + py * y_y;
    for (int p = 0; p < $2; ++p) {
      $0 v = sums[i * $2 + p];
      const int at = first + (px + p) * y_x;
$5      $6;
    }
  }
)";

std::string Sum(int vector, int pixel) {
  return absl::StrCat("c", vector, "_", pixel);
}

// On processors, all f16 channels of an element of the window at once: one by
// one they would cost as much as their products.
bool IsWidened(const DirectBlock& block) {
  return block.data == ElementType::kF16 && block.lanes == 16 &&
         block.input_channels == 16;
}

std::string Widen(const DirectBlock& block) {
  std::string text = absl::StrCat("    float xf[", block.pixels * 16, "];\n");
  for (int p = 0; p < block.pixels; ++p) {
    const std::string pointer = absl::StrCat("xt + ", p * block.stride * 16);
    absl::StrAppend(&text, "    vstore16(", LoadFloats(block.data, pointer, 16),
                    ", ", p, ", xf);\n");
  }
  return text;
}

// Before the loops: the part that this tile has of the next item's weights, as
// many parts as tiles. It is asked for while this item's are used, as weights
// are read once an inference, from memory that is far.
constexpr char kAheadStart[] = R"(
  const int tile_number = tile + get_global_id(1) * get_global_size(0);
  const int window_count = blocks * taps_z * taps_y * taps_x;
  const __global $0* ahead =
      wi + window_count * ($1 + tile_number * ahead_lines * $2);
)";
// For each element of the window. $0: elements of a line.
constexpr char kAhead[] = R"(
    for (int i = 0; i < ahead_lines; ++i, ahead += $0) PREFETCH(ahead);
)";

std::string AheadStart(const DirectBlock& block) {
  if (block.lanes != 16) return "";
  return absl::StrCat(kPrefetchText,
                      absl::Substitute(kAheadStart, ClType(block.weights),
                                       block.channels() * block.weight_inputs(),
                                       LineElements(block.weights)));
}

std::string Ahead(const DirectBlock& block) {
  if (block.lanes != 16) return "";
  return absl::Substitute(kAhead, LineElements(block.weights));
}

// Which of the merged groups the outputs are of.
std::string GroupsOfLanes(const DirectBlock& block) {
  const std::string type = ClVector("int", block.lanes);
  std::string text;
  for (int v = 0; v < block.vectors; ++v) {
    absl::StrAppend(&text, "  const ", type, " group", v, " = ((", type,
                    ")(in_group + ", v * block.lanes, ") + (", type, ")(",
                    LaneNumbers(block.lanes), ")) / (", type,
                    ")(group_outputs);\n");
  }
  return text;
}

// The datum of pixel `p`.
std::string Datum(const DirectBlock& block, int p) {
  if (IsWidened(block)) return absl::StrCat("xf[", p * 16, " + k + j]");
  return LoadFloat(block.data, "xt",
                   absl::StrCat(p * block.stride * block.input_channels));
}

// Before the input channels of an element of the window: the group of the
// first one, and how many more are of that.
constexpr char kGroupOfInputs[] = R"(
    int own = b * 16 / group_inputs;
    int more = group_inputs - b * 16 % group_inputs;
)";
constexpr char kNextInput[] = R"(
      if (--more == 0) {
        ++own;
        more = group_inputs;
      }
)";

// The factor of vector `v`.
std::string Factor(const DirectBlock& block, int v) {
  if (!block.is_merged) return "a";
  return absl::StrCat("select((", FloatVector(block.lanes), ")(0.0f), a, is", v,
                      ")");
}

bool IsCoded(const DirectBlock& block) {
  return block.weights == ElementType::kI8 || block.weights == ElementType::kU8;
}

// The weights from `wi + offset` on of vector `v`; of codes the floats that
// they mean, so that sums are those of floats to the last bit.
std::string Weights(const DirectBlock& block, int offset, int v) {
  const std::string pointer = absl::StrCat("wi + ", offset);
  if (!IsCoded(block)) {
    return LoadFloats(block.weights, pointer, block.lanes, /*aligned=*/true);
  }
  return absl::Substitute("(convert_$0(*(const __global $1*)($2))$3) * s$4",
                          FloatVector(block.lanes),
                          ClVector(ClType(block.weights), block.lanes), pointer,
                          block.has_zeros ? absl::StrCat(" - z", v) : "", v);
}

// Scales and zero points of the item's output channels: s0, s1, ..., z0, ...
std::string NumbersOfCodes(const DirectBlock& block) {
  if (!IsCoded(block)) return "";
  std::string text;
  for (int v = 0; v < block.vectors; ++v) {
    for (const absl::string_view array : {"s", "z"}) {
      if (array == "z" && !block.has_zeros) continue;
      const std::string pointer = absl::StrCat(
          array, " + item * ", block.channels(), " + ", v * block.lanes);
      absl::StrAppend(&text, "  const ", FloatVector(block.lanes), " ", array,
                      v, " = ",
                      LoadFloats(ElementType::kF32, pointer, block.lanes,
                                 /*aligned=*/true),
                      ";\n");
    }
  }
  return text;
}

// One input channel of an element of the window.
std::string Products(const DirectBlock& block) {
  const std::string type = FloatVector(block.lanes);
  std::string text;
  for (int v = 0; v < block.vectors; ++v) {
    absl::StrAppend(&text, "      const ", type, " w", v, " = ",
                    Weights(block, v * block.lanes, v), ";\n");
    if (!block.is_merged) continue;
    const std::string ints = ClVector("int", block.lanes);
    absl::StrAppend(&text, "      const ", ints, " is", v, " = group", v,
                    " == (", ints, ")(own);\n");
  }
  for (int p = 0; p < block.pixels; ++p) {
    absl::StrAppend(&text, "      { const ", type, " a = (", type, ")(",
                    Datum(block, p), ");");
    for (int v = 0; v < block.vectors; ++v) {
      absl::StrAppend(&text, " ", Sum(v, p), " = fma(", Factor(block, v), ", w",
                      v, ", ", Sum(v, p), ");");
    }
    absl::StrAppend(&text, " }\n");
  }
  absl::StrAppend(&text, "      wi += ", block.channels(), ";\n",
                  block.is_merged ? kNextInput : "");
  return text;
}

// All input channels of an element of the window, where outputs take only those
// of their own groups.
std::string ProductsOfOwn(const DirectBlock& block) {
  std::string text;
  for (int i = 0; i < block.own_inputs; ++i) {
    absl::StrAppend(&text, "    const float16 w", i, " = ",
                    Weights(block, i * 16, 0), ";\n");
  }
  for (int p = 0; p < block.pixels; ++p) {
    absl::StrAppend(
        &text, "    { const float16 a = ",
        LoadFloats(block.data, absl::StrCat("xt + ", p * block.stride * 16), 16,
                   /*aligned=*/true),
        ";");
    for (int i = 0; i < block.own_inputs; ++i) {
      std::string lanes;
      for (int lane = 0; lane < 16; ++lane) {
        const int input = lane / block.own_inputs * block.own_inputs + i;
        absl::StrAppend(&lanes, absl::Hex(input));
      }
      absl::StrAppend(&text, " ", Sum(0, p), " = fma(a.s", lanes, ", w", i,
                      ", ", Sum(0, p), ");");
    }
    absl::StrAppend(&text, " }\n");
  }
  absl::StrAppend(&text, "    wi += ", block.own_inputs * 16, ";\n");
  return text;
}

std::string Loops(const DirectBlock& block) {
  const std::string loops = absl::StrCat(WindowLoops(block.data), Ahead(block));
  if (block.own_inputs > 0) {
    return absl::StrCat(loops, ProductsOfOwn(block), "  }\n");
  }
  if (block.input_channels == 1) {
    return absl::StrCat(loops, Products(block), "  }\n");
  }
  // Unrolled by 4: the fastest, and half the time to compile of 16. What is
  // padding of the last block adds nothing.
  return absl::StrCat(
      loops, IsWidened(block) ? Widen(block) : "",
      block.is_merged ? kGroupOfInputs : "",
      "    const int count = b + 1 < blocks ? 16 : last_block;\n"
      "    for (int k = 0; k < count; k += 4) {\n"
      "    __attribute__((opencl_unroll_hint(4)))\n"
      "    for (int j = 0; j < 4; ++j, ++xt) {\n",
      Products(block), "    }\n    }\n    wi += (16 - count) * ",
      block.channels(), ";\n  }\n");
}

}  // namespace

int LineElements(ElementType type) {
  return 64 * 8 / static_cast<int>(BitWidth(type));
}

std::string DirectBody(const DirectBlock& block, const std::string& epilogue) {
  const std::string type = FloatVector(block.lanes);
  std::string text =
      absl::StrCat(absl::Substitute(kPlaceText, block.pixels),
                   absl::Substitute(kStart, block.stride * block.input_channels,
                                    block.channels(),
                                    block.channels() * block.weight_inputs(),
                                    ClType(block.data), ClType(block.weights)));
  std::string sums;
  for (int v = 0; v < block.vectors; ++v) {
    for (int p = 0; p < block.pixels; ++p) {
      absl::StrAppend(&text, "  ", type, " ", Sum(v, p), " = (", type,
                      ")(0.0f);\n");
      absl::StrAppend(&sums, sums.empty() ? "" : ", ", Sum(v, p));
    }
  }
  if (block.is_merged) text += GroupsOfLanes(block);
  absl::StrAppend(&text, NumbersOfCodes(block), AheadStart(block), Loops(block),
                  absl::Substitute(kStore, type, sums, block.pixels,
                                   block.vectors, block.lanes, epilogue,
                                   KeepLanes(block.stored, block.lanes)));
  return text;
}

}  // namespace dovetail::gpu
