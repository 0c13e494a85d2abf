#include "dovetail/backends/cpu/kernels/common/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/linear/gemm.cc"
#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"
#include "dovetail/backends/cpu/kernels/linear/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// So much of a panel, and of the rows that are multiplied with it, stays in the
// first-level cache.
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

// Rows of a, the depths [k, k + depth), one after the other kBlockDepth apart.
void CopyRows(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
              int64_t k, int64_t depth, float* to) {
  const StridedMatrix& a = problem.a;
  if (a.column_stride == 1) {
    for (int64_t row = row_begin; row < row_end; ++row) {
      std::memcpy(to, a.data + row * a.row_stride + k, depth * sizeof(float));
      to += kBlockDepth;
    }
    return;
  }
  for (int64_t i = 0; i < depth; ++i) {
    const float* from = a.data + (k + i) * a.column_stride;
    for (int64_t row = row_begin; row < row_end; ++row) {
      to[(row - row_begin) * kBlockDepth + i] = from[row * a.row_stride];
    }
  }
}

int64_t PanelRows(const GemmProblem& problem) {
  return problem.packed_depth > 0 ? problem.packed_depth : problem.depth;
}

// All rows and one block of depths.
struct Block {
  const float* a;
  int64_t a_stride;
  int64_t k, depth;
};

// Asks for a part of the next panel while this one is worked on: no hardware
// foresees where it begins.
class PanelPrefetch {
 public:
  PanelPrefetch(int64_t elements, int64_t tiles)
      : each_((elements / kLine + tiles - 1) / tiles * kLine) {}

  void Begin(const float* panel) { next_ = panel; }
  void Continue() {
    if (next_ == nullptr) return;
    for (int64_t i = 0; i < each_; i += kLine) {
      __builtin_prefetch(next_ + i, 0, 2);
    }
    next_ += each_;
  }

 private:
  static constexpr int64_t kLine = 16;
  const int64_t each_;
  const float* next_ = nullptr;
};

void RunBlock(const GemmProblem& problem, const Block& block, int64_t row_begin,
              int64_t row_end, int64_t panel_begin, int64_t panel_end) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  TileArguments tile;
  tile.depth = block.depth;
  tile.a_stride = block.a_stride;
  tile.b_stride = kWidth;
  tile.c_stride = problem.c_stride;
  tile.accumulate = block.k > 0;
  const int64_t panel_rows = PanelRows(problem);
  // About equally many rows each, as few leave the processor waiting for sums.
  const int64_t tile_count = (row_end - row_begin + kTileRows - 1) / kTileRows;
  PanelPrefetch prefetch(block.depth * kWidth, tile_count);
  for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
    tile.b = problem.packed_b + (panel * panel_rows + block.k) * kWidth;
    tile.columns = std::min(kWidth, problem.columns - panel * kWidth);
    const bool is_last = panel + 1 == panel_end;
    prefetch.Begin(is_last ? nullptr : tile.b + panel_rows * kWidth);
    int64_t tiles = tile_count;
    for (int64_t row = row_begin, rows = 0; row < row_end; row += rows) {
      prefetch.Continue();
      rows = (row_end - row + tiles - 1) / tiles;
      --tiles;
      tile.a = block.a + (row - row_begin) * block.a_stride;
      tile.c = problem.c + row * problem.c_stride + panel * kWidth;
      TileFunctionFor(rows)(tile);
    }
  }
}

// A few rows: nothing is read twice but a, and all depths are one block.
template <int kRows, int kPanels>
void RunThin(const GemmProblem& problem, const float* a, int64_t a_stride,
             float* c, int64_t panel_begin, int64_t panel_end) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  const int64_t panel_stride = PanelRows(problem) * kWidth;
  int64_t panel = panel_begin;
  const int64_t whole = std::min(panel_end, problem.columns / kWidth);
  for (; panel + kPanels <= whole; panel += kPanels) {
    MultiplyTile<kRows, kPanels>(
        problem.depth, a, a_stride, problem.packed_b + panel * panel_stride,
        kWidth, panel_stride, c + panel * kWidth, problem.c_stride, false);
  }
  TileArguments tile = {problem.depth, a,    a_stride, nullptr, kWidth,
                        nullptr,       problem.c_stride, 0,       false};
  for (; panel < panel_end; ++panel) {
    tile.b = problem.packed_b + panel * panel_stride;
    tile.c = c + panel * kWidth;
    tile.columns = std::min(kWidth, problem.columns - panel * kWidth);
    MultiplyPanelFunction<kRows>(tile);
  }
}

bool RunThinRows(const GemmProblem& problem, int64_t row_begin, int64_t rows,
                 int64_t panel_begin, int64_t panel_end) {
  if (problem.a.column_stride != 1) return false;
  const float* const a = problem.a.data + row_begin * problem.a.row_stride;
  float* const c = problem.c + row_begin * problem.c_stride;
  const auto run = [&](auto function) HWY_ATTR {
    function(problem, a, problem.a.row_stride, c, panel_begin, panel_end);
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

void Run(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
         int64_t panel_begin, int64_t panel_end) {
  if (RunThinRows(problem, row_begin, row_end - row_begin, panel_begin,
                  panel_end)) {
    return;
  }
  HWY_ALIGN float rows[kGemmRowsAtATime * kBlockDepth];
  Block block;
  block.a = rows;
  block.a_stride = kBlockDepth;
  for (block.k = 0; block.k < problem.depth; block.k += block.depth) {
    block.depth = std::min(kBlockDepth, problem.depth - block.k);
    CopyRows(problem, row_begin, row_end, block.k, block.depth, rows);
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
  HWY_DYNAMIC_DISPATCH(Run)(problem, row_begin, row_end, panel_begin,
                            panel_end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
