#include "dovetail/backends/gpu/steps/linear/matmul_kernel.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/prefetch_text.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

// 12 rows of two vectors are the fastest, 4 vectors where there are few rows.
constexpr int64_t kRows = 12, kFewRows = 6;

// $0: rows, $1: columns, $2: where a begins, $3: where b does, $4 and $5:
// types, $6: a divisor for what has several elements.
constexpr char kStart[] = R"(
  const int row = min((int)get_global_id(0) * $0, rows - $0);
  const int column = get_global_id(1) * $1;
  const int product = get_global_id(2);
  const __global $4* ai = a + $2row * a_row;
  const __global $5* bi = b + $3column * depth$6;
)";

// $0: type of vectors, $1: sums, $2: rows, $3: vectors, $4: lanes, $5: the
// epilogue, $6: what ends the name of functions.
constexpr char kStore[] = R"(
  const $0 sums[] = {$1};
  for (int i = 0; i < $3; ++i) {
    const int channel = column + i * $4;
    const int left = columns - channel;
    if (left <= 0) break;
    for (int r = 0; r < $2; ++r) {
      $0 v = sums[i * $2 + r];
      const int at = (product * rows + row + r) * columns + channel;
$5      store_lanes$4$6(v, y + at, left);
    }
  }
)";

std::string Sum(int vector, int row) {
  return absl::StrCat("c", vector, "_", row);
}

// One row of the second factor, in b0, b1 and so on, by some of a's.
std::string Products(const MatMulBlock& block) {
  const std::string type = FloatVector(block.lanes);
  std::string text;
  for (int r = 0; r < block.rows; ++r) {
    absl::StrAppend(&text, "    { const ", type, " f = (", type, ")(",
                    LoadFloat(block.data, "ai", absl::StrCat(r, " * a_row")),
                    ");");
    for (int v = 0; v < block.vectors; ++v) {
      absl::StrAppend(&text, " ", Sum(v, r), " = fma(f, b", v, ", ", Sum(v, r),
                      ");");
    }
    absl::StrAppend(&text, " }\n");
  }
  absl::StrAppend(&text, "    ai += a_column;\n");
  return text;
}

absl::string_view PanelType(const MatMulBlock& block) {
  if (block.weights.bits == 32) return ClType(block.stored);
  return block.weights.is_signed ? "char" : "uchar";
}

// The integer of row `row` among those of a byte, in vector `v`.
std::string Code(const WeightText& weights, int v, int row) {
  if (weights.bits == 8) return absl::StrCat("q", v);
  if (row == 1) return absl::StrCat("q", v, " >> 4");
  return weights.is_signed ? absl::StrCat("(q", v, " << 28) >> 28")
                           : absl::StrCat("q", v, " & 15");
}

// $0: number of the vector, $1: type, $2: where it begins in a row, $3: the
// zero point.
constexpr char kGroup[] = R"(
    const $1 s$0 = *(const __global $1*)(s + at + $2);
    const $1 z$0 = $3;
)";

// $0: number of the vector, $1: type, $2: the code.
constexpr char kDequantize[] =
    "    const $1 b$0 = (convert_$1($2) - z$0) * s$0;\n";

std::string RowOfCodes(const MatMulBlock& block, int row) {
  std::string text = "    {\n";
  for (int v = 0; v < block.vectors; ++v) {
    absl::SubstituteAndAppend(&text, kDequantize, v, FloatVector(block.lanes),
                              Code(block.weights, v, row));
  }
  absl::StrAppend(&text, Products(block), "    }\n");
  return text;
}

std::string LoopOverGroups(const MatMulBlock& block) {
  const std::string type = FloatVector(block.lanes);
  const std::string ints = ClVector("int", block.lanes);
  const std::string codes = ClVector(PanelType(block), block.lanes);
  const int rows = 8 / block.weights.bits;
  std::string text = absl::Substitute(
      "  for (int g = 0; g < groups; ++g) {\n"
      "    const int at = column * groups + g * $0;\n",
      block.columns());
  for (int v = 0; v < block.vectors; ++v) {
    const int first = v * block.lanes;
    absl::SubstituteAndAppend(&text, kGroup, v, type, first,
                              block.weights.has_zeros
                                  ? absl::StrCat("*(const __global ", type,
                                                 "*)(z + at + ", first, ")")
                                  : absl::StrCat("(", type, ")(zero)"));
  }
  absl::StrAppend(&text, "    for (int k = 0; k < group; k += ", rows, ") {\n");
  for (int v = 0; v < block.vectors; ++v) {
    absl::StrAppend(&text, "    const ", ints, " q", v, " = convert_", ints,
                    "(*(const __global ", codes, "*)(bi + ", v * block.lanes,
                    "));\n");
  }
  for (int row = 0; row < rows; ++row) text += RowOfCodes(block, row);
  absl::StrAppend(&text, "    bi += ", block.columns(), ";\n    }\n  }\n");
  return text;
}

// The part that this block of rows has of the next panel, which is asked for
// while this one's is used: weights are read once an inference, from memory
// that is far. Some floats a row, so that lines are asked for more than once.
// Of one block the processor itself reads ahead. $0: columns, $1: type.
constexpr char kAheadStart[] = R"(
  const int row_blocks = get_global_size(0);
  const int ahead_rows = (depth + row_blocks - 1) / row_blocks;
  const int ahead_step =
      row_blocks > 1 ? (ahead_rows * $0 - 1) / max(depth, 1) + 1 : 0;
  const __global $1* ahead = bi + (depth + get_global_id(0) * ahead_rows) * $0;
)";

bool AsksAhead(const MatMulBlock& block) {
  return block.lanes == 16 && block.rows > kFewRows;
}

// Not unrolled: one driver needs twice the time then.
std::string Loop(const MatMulBlock& block) {
  const std::string type = FloatVector(block.lanes);
  std::string text;
  if (AsksAhead(block)) {
    absl::StrAppend(
        &text, kPrefetchText,
        absl::Substitute(kAheadStart, block.columns(), ClType(block.stored)));
  }
  absl::StrAppend(&text, "  for (int k = 0; k < depth; ++k) {\n",
                  AsksAhead(block) ? "    PREFETCH(ahead);\n" : "");
  for (int v = 0; v < block.vectors; ++v) {
    absl::StrAppend(
        &text, "    const ", type, " b", v, " = ",
        LoadFloats(block.stored, absl::StrCat("bi + ", v * block.lanes),
                   block.lanes, /*aligned=*/true),
        ";\n");
  }
  absl::StrAppend(&text, Products(block), "    bi += ", block.columns(), ";\n",
                  AsksAhead(block) ? "    ahead += ahead_step;\n" : "",
                  "  }\n");
  return text;
}

}  // namespace

MatMulBlock ChooseMatMulBlock(int lanes, int64_t rows, int64_t columns) {
  MatMulBlock block;
  block.lanes = lanes;
  const int64_t most = lanes == 16 ? kRows : 4;
  const int64_t blocks = CeilDivide(rows, most);
  block.rows = static_cast<int>(blocks < 4 ? CeilDivide(rows, blocks)
                                           : std::min(rows, most));
  const int64_t vectors = lanes < 16 || block.rows <= kFewRows ? 4 : 2;
  block.vectors =
      static_cast<int>(std::min(vectors, CeilDivide(columns, int64_t{lanes})));
  return block;
}

std::string MatMulBody(const MatMulBlock& block, const std::string& epilogue) {
  const std::string type = FloatVector(block.lanes);
  std::string text =
      absl::Substitute(kStart, block.rows, block.columns(),
                       block.is_batch ? "a_offsets[product] + " : "",
                       block.is_batch ? "b_numbers[product] * b_matrix + " : "",
                       ClType(block.data), PanelType(block),
                       block.weights.bits == 4 ? " / 2" : "");
  std::string sums;
  for (int v = 0; v < block.vectors; ++v) {
    for (int r = 0; r < block.rows; ++r) {
      absl::StrAppend(&text, "  ", type, " ", Sum(v, r), " = (", type,
                      ")(0.0f);\n");
      absl::StrAppend(&sums, sums.empty() ? "" : ", ", Sum(v, r));
    }
  }
  absl::StrAppend(
      &text, block.weights.bits == 32 ? Loop(block) : LoopOverGroups(block),
      absl::Substitute(kStore, type, sums, block.rows, block.vectors,
                       block.lanes, epilogue, StorageSuffix(block.stored)));
  return text;
}

}  // namespace dovetail::gpu
