#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/linear/gemm.cc"
#include <algorithm>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/cpu/kernels/linear/column_dots-inl.h"
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"
#include "dovetail/backends/cpu/kernels/linear/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// So much of a panel, and of the rows that are multiplied with it, stays in the
// L1 cache.
constexpr int64_t kBlockDepth = 256;

void PackPanels(const StridedMatrix& b, int64_t depth, int64_t columns,
                int64_t begin, int64_t end, float* packed) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  for (int64_t panel = begin; panel < end; ++panel) {
    const int64_t first = panel * kWidth;
    const int64_t count = std::min(kWidth, columns - first);
    PackPanel(b.data + first * b.column_stride, b.row_stride, b.column_stride,
              depth, count, packed + panel * depth * kWidth);
  }
}

// Between copied rows; a line more than a block, as rows a power of two apart
// push each other out of the cache.
constexpr int64_t kCopyStride = kBlockDepth + 16;

// Rows of a, the depths [k, k + depth), one after the other kCopyStride apart.
void CopyRows(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
              int64_t k, int64_t depth, float* to) {
  const StridedMatrix a = {problem.a.data + row_begin * problem.a.row_stride +
                               k * problem.a.column_stride,
                           problem.a.row_stride, problem.a.column_stride};
  const int64_t rows = row_end - row_begin;
  const int64_t fours = a.row_stride == 1 ? depth / 4 * 4 : 0;
  for (int64_t i = 0; i < fours; i += 4) {
    int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
      Transpose4x4(a.data + i * a.column_stride + row, a.column_stride,
                   to + row * kCopyStride + i, kCopyStride);
    }
    for (; row < rows; ++row) {
      for (int64_t j = i; j < i + 4; ++j) {
        to[row * kCopyStride + j] = a.data[j * a.column_stride + row];
      }
    }
  }
  for (int64_t i = fours; i < depth; ++i) {
    const float* from = a.data + i * a.column_stride;
    for (int64_t row = 0; row < rows; ++row) {
      to[row * kCopyStride + i] = from[row * a.row_stride];
    }
  }
}

int64_t PanelRows(const GemmProblem& problem) {
  return problem.packed_depth > 0 ? problem.packed_depth : problem.depth;
}

// All rows and one block of depths.
struct Block {
  const float* a = nullptr;
  int64_t a_stride = 0;
  int64_t k = 0, depth = 0;
};

void RunBlock(const GemmProblem& problem, const Block& block, int64_t row_begin,
              int64_t row_end, int64_t panel_begin, int64_t panel_end) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  TileArguments tile;
  tile.depth = block.depth;
  tile.a_stride = block.a_stride;
  tile.b_stride = kWidth;
  tile.c_stride = problem.c_stride;
  const StridedMatrix before = block.k == 0
                                   ? problem.before
                                   : StridedMatrix{problem.c, problem.c_stride};
  tile.before_stride = before.row_stride;
  const int64_t panel_rows = PanelRows(problem);
  const int64_t panel_elements = panel_rows * kWidth;
  // About equally many rows each, as few leave the processor waiting for sums.
  const int64_t tile_count = (row_end - row_begin + kTileRows - 1) / kTileRows;
  PanelPrefetch prefetch(block.depth * kWidth, block.depth, tile_count);
  for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
    const int64_t column = panel * kWidth;
    tile.b = problem.packed_b + panel * panel_elements + block.k * kWidth;
    tile.columns = std::min(kWidth, problem.columns - column);
    if (problem.bias != nullptr && block.k == 0) {
      tile.bias = problem.bias + column;
    }
    // Behind the last panel, which is read again for the next depths, most
    // likely comes what the next call begins with.
    prefetch.Begin(tile.b + panel_elements);
    int64_t tiles = tile_count;
    for (int64_t row = row_begin, rows = 0; row < row_end; row += rows) {
      prefetch.Deal(tile);
      rows = (row_end - row + tiles - 1) / tiles;
      --tiles;
      tile.a = block.a + (row - row_begin) * block.a_stride;
      tile.c = problem.c + row * problem.c_stride + column;
      if (before.data != nullptr) {
        tile.before = before.data + row * before.row_stride + column;
      }
      TileFunctionFor(rows)(tile);
    }
  }
}

// A few rows: nothing is read twice but a, and all depths are one block.
template <int kRows, int kPanels>
void RunThin(const GemmProblem& problem, int64_t row, int64_t panel_begin,
             int64_t panel_end) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  TileArguments tile;
  tile.depth = problem.depth;
  tile.a = problem.a.data + row * problem.a.row_stride;
  tile.a_stride = problem.a.row_stride;
  tile.b_stride = kWidth;
  tile.panel_stride = PanelRows(problem) * kWidth;
  tile.c_stride = problem.c_stride;
  tile.before_stride = problem.before.row_stride;
  const auto go_to = [&](int64_t panel) HWY_ATTR {
    const int64_t column = panel * kWidth;
    tile.b = problem.packed_b + panel * tile.panel_stride;
    tile.c = problem.c + row * problem.c_stride + column;
    tile.columns = std::min(kWidth, problem.columns - column);
    if (problem.bias != nullptr) tile.bias = problem.bias + column;
    if (problem.before.data != nullptr) {
      tile.before =
          problem.before.data + row * problem.before.row_stride + column;
    }
  };
  int64_t panel = panel_begin;
  const int64_t whole = std::min(panel_end, problem.columns / kWidth);
  for (; panel + kPanels <= whole; panel += kPanels) {
    go_to(panel);
    MultiplyTile<kRows, kPanels>(tile);
  }
  for (; panel < panel_end; ++panel) {
    go_to(panel);
    MultiplyPanel<kRows>(tile);
  }
}

bool RunThinRows(const GemmProblem& problem, int64_t row_begin, int64_t rows,
                 int64_t panel_begin, int64_t panel_end) {
  if (problem.a.column_stride != 1) return false;
  const auto run = [&](auto function) HWY_ATTR {
    function(problem, row_begin, panel_begin, panel_end);
  };
  switch (rows) {
    case 1:
      run(RunThin<1, 4>);
      return true;
    case 2:
      run(RunThin<2, 2>);
      return true;
    case 3:
      run(RunThin<3, 2>);
      return true;
    case 4:
      run(RunThin<4, 1>);
      return true;
    case 5:
      run(RunThin<5, 1>);
      return true;
    case 6:
      run(RunThin<6, 1>);
      return true;
    default:
      return false;
  }
}

// One row, and columns as they lie in memory.
template <int kColumns, bool kAsks>
void RunColumns(const GemmProblem& problem, int64_t begin, int64_t end) {
  const StridedMatrix& b = problem.b;
  float sums[kColumns];
  int64_t first = begin;
  for (; first + kColumns <= end; first += kColumns) {
    DotColumns<kColumns, kAsks>(problem.a.data,
                                b.data + first * b.column_stride,
                                b.column_stride, problem.depth, sums);
    for (int i = 0; i < kColumns; ++i) {
      const int64_t column = first + i;
      float sum = sums[i];
      if (problem.bias != nullptr) sum += problem.bias[column];
      if (problem.before.data != nullptr) sum += problem.before.data[column];
      problem.c[column] = sum;
    }
  }
  if constexpr (kColumns > 1) RunColumns<1, kAsks>(problem, first, end);
}

void Run(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
         int64_t panel_begin, int64_t panel_end) {
  if (problem.packed_b == nullptr) {
    const int64_t begin = panel_begin * PanelWidth();
    const int64_t end = std::min(problem.columns, panel_end * PanelWidth());
    return problem.asks_ahead && problem.depth <= kShortColumn
               ? RunColumns<kColumnsAtATime, true>(problem, begin, end)
               : RunColumns<kColumnsAtATime, false>(problem, begin, end);
  }
  if (RunThinRows(problem, row_begin, row_end - row_begin, panel_begin,
                  panel_end)) {
    return;
  }
  HWY_ALIGN float rows[kGemmRowsAtATime * kCopyStride];
  Block block;
  for (block.k = 0; block.k < problem.depth; block.k += block.depth) {
    block.depth = std::min(kBlockDepth, problem.depth - block.k);
    if (problem.a.column_stride == 1) {
      block.a = problem.a.data + row_begin * problem.a.row_stride + block.k;
      block.a_stride = problem.a.row_stride;
    } else {
      CopyRows(problem, row_begin, row_end, block.k, block.depth, rows);
      block.a = rows;
      block.a_stride = kCopyStride;
    }
    RunBlock(problem, block, row_begin, row_end, panel_begin, panel_end);
  }
}

int64_t Width() { return 2 * HWY_LANES(float); }
int64_t TileRows() { return kTileRows; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(PackPanels);
HWY_EXPORT(Run);
HWY_EXPORT(Width);
HWY_EXPORT(TileRows);

int64_t GemmPanelWidth() {
  static const int64_t width = HWY_DYNAMIC_DISPATCH(Width)();
  return width;
}

int64_t GemmTileRows() { return HWY_DYNAMIC_DISPATCH(TileRows)(); }

void PackGemmPanels(const StridedMatrix& b, int64_t depth, int64_t columns,
                    int64_t begin, int64_t end, float* packed) {
  HWY_DYNAMIC_DISPATCH(PackPanels)(b, depth, columns, begin, end, packed);
}

void RunGemm(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
             int64_t panel_begin, int64_t panel_end) {
  HWY_DYNAMIC_DISPATCH(Run)
  (problem, row_begin, row_end, panel_begin, panel_end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
