#include "dovetail/backends/gpu/steps/attention/attention_kernel.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kRows = 12;
// Of fewer queries packing of keys would take as long as the rest.
constexpr int64_t kFewRows = 4;

// Texts have $V for a vector of floats, $L for its lanes, $R for rows, $B for
// keys of a block and $W for the panel's.
constexpr char kStart[] = R"(
  const int first_row = get_global_id(0) * $R;
  const __global int* at = offsets + get_global_id(1) * 6;
  const $V nothing = ($V)(-INFINITY);
  float scores[$R * $B], greatest[$R], sums[$R], factors[$R];
  for (int r = 0; r < $R; ++r) {
    greatest[r] = $SINK;
    sums[r] = greatest[r] == -INFINITY ? 0.0f : exp(greatest[r] - greatest[r]);
  }
  const int end = is_causal ? min(keys, first_row + $R) : keys;
  for (int begin = 0; begin < end; begin += $B) {
    const int count = min($B, end - begin);
)";

// Exponentials of scores, whose sums and the factors of what earlier blocks
// have given follow the greatest score. Where all are minus infinity, as those
// are that a mask takes out, exponentials are 0, and in the end 0 / 0.
constexpr char kSoftmax[] = R"(
    for (int r = 0; r < $R; ++r) {
      const int row = min(first_row + r, queries - 1);
      const int seen = is_causal ? min(count, row + 1 - begin) : count;
      $V most = nothing;
      for (int c = 0; c < count; c += $L) {
        $V x = GET_$L(scores + r * $B + c) * factor;
$MASK        x = LANES + c < seen ? x : nothing;
        PUT_$L(x, scores + r * $B + c);
        most = x > most ? x : most;
      }
      const float next = max(greatest[r], max_$L(most));
      const float base = next == -INFINITY ? 0.0f : next;
      $V total = ($V)(0.0f);
      for (int c = 0; c < count; c += $L) {
        const $V x = exp(GET_$L(scores + r * $B + c) - base);
        PUT_$L(x, scores + r * $B + c);
        total += x;
      }
      factors[r] = exp(greatest[r] - base);
      sums[r] = sums[r] * factors[r] + sum_$L(total);
      greatest[r] = next;
    }
)";

constexpr char kNumbersText[] = R"(
        const __global float* m =
            mask + at[3] + row * mask_row + (begin + c) * mask_column;
        x += mask_column == 0 ? ($V)(*m) : load_lanes$L(m, count - c);
)";

constexpr char kFlagsText[] = R"(
        const __global uchar* m =
            mask + at[3] + row * mask_row + (begin + c) * mask_column;
        x = (mask_column == 0 ? ($I)(*m) : load_flags$L(m, count - c)) != 0
            ? x : nothing;
)";

constexpr char kFlagsFunction[] = R"(
inline $I load_flags$L(const __global uchar* from, int left) {
  int lanes[$L];
  for (int i = 0; i < $L; ++i) lanes[i] = i < left ? from[i] : 0;
  return GETINTS;
}
)";

// What a block of keys adds to the result, whose earlier parts are in y.
constexpr char kStore[] = R"(
      for (int r = 0; r < $R; ++r) {
        if (first_row + r >= queries) break;
        __global float* to = y + at[5] + (first_row + r) * y_row + f;
        const float share = begin + $B < end ? 1.0f : 1.0f / sums[r];
        for (int i = 0; i < $N; ++i) {
          const int left = width - f - i * $L;
          if (left <= 0) break;
          $V x = GET_$L(block + (r * $N + i) * $L);
          if (begin > 0) x += load_lanes$L(to + i * $L, left) * factors[r];
          store_lanes$L(x * share, to + i * $L, left);
        }
      }
    }
  }
)";

std::string Filled(absl::string_view text, const AttentionBlock& block) {
  const std::string lanes = absl::StrCat(block.lanes);
  const std::string numbers = LaneNumbers(block.lanes);
  return absl::StrReplaceAll(
      text, {{"GETINTS", block.lanes == 1
                             ? "*lanes"
                             : absl::StrCat("vload", lanes, "(0, lanes)")},
             {"LANES", absl::StrCat("(", ClVector("int", block.lanes), ")(",
                                    numbers, ")")},
             {"$V", ClVector("float", block.lanes)},
             {"$I", ClVector("int", block.lanes)},
             {"$L", lanes},
             {"$R", absl::StrCat(block.rows)},
             {"$B", absl::StrCat(block.keys)},
             {"$W", absl::StrCat(block.panel)},
             {"$N", absl::StrCat(block.vectors)}});
}

// Declares sums of a vector each: `rows` times `vectors` of them.
std::string Sums(const AttentionBlock& block, int vectors) {
  std::string text;
  for (int r = 0; r < block.rows; ++r) {
    for (int i = 0; i < vectors; ++i) {
      absl::StrAppend(&text, "      $V c", r, "_", i, " = ($V)(0.0f);\n");
    }
  }
  return text;
}

// Adds products of a number of each row, "<from>(r)", and vectors b0, b1 ….
std::string Products(const AttentionBlock& block, int vectors,
                     absl::string_view number) {
  std::string text;
  for (int r = 0; r < block.rows; ++r) {
    absl::StrAppend(&text, "        { const $V a = ($V)(",
                    absl::Substitute(number, r), ");");
    for (int i = 0; i < vectors; ++i) {
      absl::StrAppend(&text,
                      absl::Substitute(" c$0_$1 = fma(a, b$1, c$0_$1);", r, i));
    }
    absl::StrAppend(&text, " }\n");
  }
  return text;
}

// Stores the sums to memory of the work item, `row` floats a row.
std::string Keep(const AttentionBlock& block, int vectors, absl::string_view to,
                 int row) {
  std::string text;
  for (int r = 0; r < block.rows; ++r) {
    for (int i = 0; i < vectors; ++i) {
      absl::StrAppend(&text, "      PUT_$L(c", r, "_", i, ", ", to, " + ",
                      r * row + i * block.lanes, ");\n");
    }
  }
  return text;
}

std::string PanelScores(const AttentionBlock& block) {
  const int vectors = block.panel / block.lanes;
  std::string text = absl::StrCat(
      "    for (int c = 0; c < count; c += $W) {\n"
      "      const __global float* ki = k + at[1] + (begin + c) * depth;\n",
      Sums(block, vectors),
      "      for (int e = 0; e < depth; ++e, ki += $W) {\n");
  for (int i = 0; i < vectors; ++i) {
    absl::StrAppend(&text, "        const $V b", i, " = GET_$L(ki + ",
                    i * block.lanes, ");\n");
  }
  absl::StrAppend(&text, Products(block, vectors, "q$0[e]"), "      }\n",
                  Keep(block, vectors, "scores + c", block.keys), "    }\n");
  return text;
}

// As many keys at a time as there are lanes, each summed in a vector of its
// own; halves of these vectors are added until one has the sums of all.
std::string RowScores(const AttentionBlock& block) {
  std::string text =
      "    for (int c = 0; c < count; c += $L) {\n"
      "      const __global float* kc = k + at[1];\n"
      "      const int key = begin + c;\n";
  std::string products;
  for (int i = 0; i < block.lanes; ++i) {
    absl::StrAppend(
        &text, "      const __global float* k", i, " = kc + min(key + ", i,
        ", keys - 1) * k_row;\n      $V s0_", i, " = ($V)(0.0f);\n");
    absl::StrAppend(&products, "        s0_", i, " = fma(a, GET_$L(k", i,
                    " + e), s0_", i, ");\n");
  }
  absl::StrAppend(&text,
                  "      for (int e = 0; e < depth; e += $L) {\n"
                  "        const $V a = GET_$L(q0 + e);\n",
                  products, "      }\n");
  int level = 0;
  for (int n = block.lanes / 2; n >= 1; n /= 2, ++level) {
    for (int i = 0; i < n; ++i) {
      absl::StrAppend(
          &text, absl::Substitute(
                     "      const $$V s$0_$1 = ($$V)(s$2_$3.even + s$2_$3.odd, "
                     "s$2_$4.even + s$2_$4.odd);\n",
                     level + 1, i, level, 2 * i, 2 * i + 1));
    }
  }
  absl::StrAppend(&text, "      PUT_$L(s", level, "_0, scores + c);\n    }\n");
  return text;
}

std::string Values(const AttentionBlock& block) {
  std::string text = absl::StrCat(
      "    for (int f = 0; f < width; f += $N * $L) {\n"
      "      const __global float* vi = v + at[2] + begin * v_row + f;\n"
      "      const float* s = scores;\n",
      Sums(block, block.vectors),
      "      for (int j = 0; j < count; ++j, ++s, vi += v_row) {\n");
  for (int i = 0; i < block.vectors; ++i) {
    const int first = i * block.lanes;
    absl::StrAppend(&text, "        const $V b", i, " = ",
                    block.is_ragged ? absl::StrCat("load_lanes$L(vi + ", first,
                                                   ", width - f - ", first, ")")
                                    : absl::StrCat("GET_$L(vi + ", first, ")"),
                    ";\n");
  }
  const std::string number = absl::StrCat("s[$0 * ", block.keys, "]");
  absl::StrAppend(
      &text, Products(block, block.vectors, number), "      }\n",
      "      float block[$R * $N * $L];\n",
      Keep(block, block.vectors, "block", block.vectors * block.lanes), kStore);
  return text;
}

std::string Body(const AttentionBlock& block) {
  std::string text = absl::StrReplaceAll(
      kStart, {{"$SINK", block.has_sink
                             ? "sink[at[4] + min(first_row + r, queries - 1) * "
                               "sink_row]"
                             : "-INFINITY"}});
  std::string queries = absl::StrCat(
      "\n  const float factor = ", block.has_scale ? "scale_of[0]" : "scale",
      ";\n");
  for (int r = 0; r < block.rows; ++r) {
    absl::StrAppend(&queries, "  const __global float* q", r,
                    " = q + at[0] + min(first_row + ", r,
                    ", queries - 1) * q_row;\n");
  }
  const char* mask = block.mask == AttentionMask::kNone      ? ""
                     : block.mask == AttentionMask::kNumbers ? kNumbersText
                                                             : kFlagsText;
  const size_t loop = text.find("  for (int begin");
  text.insert(loop, queries);
  return absl::StrCat(
      text, block.panel > 0 ? PanelScores(block) : RowScores(block),
      absl::StrReplaceAll(kSoftmax, {{"$MASK", mask}}), Values(block));
}

}  // namespace

AttentionBlock ChooseAttentionBlock(int lanes, int64_t queries, int64_t depth,
                                    int64_t width) {
  AttentionBlock block;
  block.lanes = lanes;
  const int64_t most = lanes == 16 ? kRows : kFewRows;
  const int64_t blocks = CeilDivide(queries, most);
  block.rows =
      static_cast<int>(blocks < 4 ? CeilDivide(queries, blocks) : most);
  if (lanes < 16) block.keys = 64;
  block.panel = 2 * lanes;
  int64_t vectors = 2;
  if (queries <= kFewRows && depth % lanes == 0) {
    block.rows = 1;
    block.panel = 0;
    vectors = 4;
  }
  while (vectors > 1 && width % (vectors * lanes) != 0) vectors /= 2;
  block.vectors = static_cast<int>(vectors);
  block.is_ragged = width % (vectors * lanes) != 0;
  return block;
}

void AddAttentionText(const AttentionBlock& block, KernelWriter& writer) {
  AddLaneFunctions(ElementType::kF32, block.lanes, writer);
  writer.Helper(FoldFunction("sum", block.lanes, "$a + $b"));
  writer.Helper(FoldFunction("max", block.lanes, "$a > $b ? $a : $b"));
  writer.Helper(Filled(block.lanes == 1
                           ? "#define GET_1(p) (*(p))\n"
                             "#define PUT_1(x, p) (*(p) = (x))\n"
                           : "#define GET_$L(p) vload$L(0, p)\n"
                             "#define PUT_$L(x, p) vstore$L(x, 0, p)\n",
                       block));
  if (block.mask == AttentionMask::kFlags) {
    writer.Helper(Filled(kFlagsFunction, block));
  }
  writer.Body(Filled(Body(block), block));
}

}  // namespace dovetail::gpu
