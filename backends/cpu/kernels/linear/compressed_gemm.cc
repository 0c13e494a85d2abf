#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/linear/compressed_gemm.cc"
#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/linear/compressed_forms-inl.h"
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// So many rows of a panel are unpacked at a time, and products of so many
// codes are summed before zeros are taken off: of more, the sums would lose
// what they differ by.
constexpr int64_t kBlockDepth = 256;
// Memory is fetched so far ahead of its use, all lines of a unit: what the
// processor fetches by itself comes late where its last cache is far away.
constexpr int64_t kBytesAhead = 4096, kLineBytes = 64;

// ---- A few rows ----

// Thin rows are PaddedDepth() numbers each, divided by the factors of the codes
// that they are multiplied with, and then the sums of each segment: what is
// left of a group when it is cut into parts of kBlockDepth.
int64_t SegmentsInGroup(const CompressedMatrix& b) {
  return (b.group + kBlockDepth - 1) / kBlockDepth;
}
int64_t ThinRowStride(const CompressedMatrix& b) {
  return b.PaddedDepth() + b.groups() * SegmentsInGroup(b);
}

template <class Form>
void PrepareRow(const Form&, const CompressedMatrix& b, const float* a,
                float* to) {
  float* sums = to + b.PaddedDepth();
  for (int64_t g = 0; g < b.groups(); ++g, a += b.group) {
    for (int64_t begin = 0; begin < b.group; begin += kBlockDepth) {
      const int64_t end = std::min(b.group, begin + kBlockDepth);
      double sum = 0;
      for (int64_t k = begin; k < end; ++k) {
        const int j = static_cast<int>(k % Form::kRows);
        to[k] = a[k] * (1.0f / Form::Factor(j));
        sum += a[k];
      }
      *sums++ = static_cast<float>(sum);
    }
    const int64_t padded = b.UnitsInGroup() * Form::kRows;
    std::fill(to + b.group, to + padded, 0.0f);
    to += padded;
  }
}

// sums[r][v] = numbers of `units` units times row r of x. As many chains of
// sums as keep the processor busy.
template <class Form, int kRows>
HWY_INLINE void MultiplyUnits(const Form& form,
                              const uint8_t* HWY_RESTRICT unit, int64_t units,
                              const float* HWY_RESTRICT x, int64_t x_stride,
                              GemmVector (&sums)[kRows][2]) {
  constexpr int kChains = kRows == 1 ? 4 : kRows <= 3 ? 2 : 1;
  const GemmFloats d;
  GemmVector chains[kChains][kRows][2];
#pragma GCC unroll 32
  for (int i = 0; i < kChains * kRows; ++i) {
    chains[i / kRows][i % kRows][0] = hn::Zero(d);
    chains[i / kRows][i % kRows][1] = hn::Zero(d);
  }
  for (int64_t u = 0; u < units; ++u) {
#pragma GCC unroll 8
    for (int64_t line = 0; line < Form::kUnitBytes; line += kLineBytes) {
      __builtin_prefetch(unit + kBytesAhead + line, 0, 3);
    }
#pragma GCC unroll 16
    for (int j = 0; j < Form::kRows; ++j) {
      const GemmVector left = form.Number(unit, 0, j);
      const GemmVector right = form.Number(unit, 1, j);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const GemmVector factor = hn::Set(d, x[r * x_stride + j]);
        GemmVector(&chain)[2] = chains[j % kChains][r];
        chain[0] = hn::MulAdd(left, factor, chain[0]);
        chain[1] = hn::MulAdd(right, factor, chain[1]);
      }
    }
    unit += Form::kUnitBytes;
    x += Form::kRows;
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      sums[r][v] = chains[0][r][v];
#pragma GCC unroll 4
      for (int i = 1; i < kChains; ++i) {
        sums[r][v] = hn::Add(sums[r][v], chains[i][r][v]);
      }
    }
  }
}

template <int kRows>
void StorePanel(const CompressedProblem& problem, int64_t panel,
                const GemmVector (&sums)[kRows][2]) {
  const GemmFloats d;
  const int64_t columns = std::min(kWidth, problem.b.columns - panel * kWidth);
  for (int r = 0; r < kRows; ++r) {
    HWY_ALIGN float row[kWidth];
    hn::Store(sums[r][0], d, row);
    hn::Store(sums[r][1], d, row + HWY_LANES(float));
    std::memcpy(problem.c + r * problem.c_stride + panel * kWidth, row,
                columns * sizeof(float));
  }
}

template <class Form, int kRows>
void MultiplyThinPanel(const Form& form, const CompressedProblem& problem,
                       int64_t panel) {
  const CompressedMatrix& b = problem.b;
  const GemmFloats d;
  const int64_t stride = ThinRowStride(b);
  const float* x = problem.thin_rows;
  const float* x_sums = x + b.PaddedDepth();
  const uint8_t* group = problem.packed_b + panel * b.PanelBytes();
  GemmVector total[kRows][2];
  for (int r = 0; r < kRows; ++r) total[r][0] = total[r][1] = hn::Zero(d);
  const int64_t units = b.UnitsInGroup(), group_bytes = b.GroupBytes();
  const int64_t groups = b.groups(), head_bytes = b.HeadBytes();
  for (int64_t g = 0; g < groups; ++g, group += group_bytes) {
    const uint8_t* unit = group + head_bytes;
    const Head heads[2] = {Head(b, group, 0), Head(b, group, 1)};
    for (int64_t left = units; left > 0; ++x_sums) {
      const int64_t now = std::min(left, kBlockDepth / Form::kRows);
      GemmVector sums[kRows][2];
      MultiplyUnits<Form, kRows>(form, unit, now, x, stride, sums);
      for (int r = 0; r < kRows; ++r) {
        const GemmVector x_sum = hn::Set(d, x_sums[r * stride]);
        for (int v = 0; v < 2; ++v) {
          if (Form::kScaled) {
            sums[r][v] = hn::NegMulAdd(heads[v].zero, x_sum, sums[r][v]);
            total[r][v] = hn::MulAdd(heads[v].scale, sums[r][v], total[r][v]);
          } else {
            total[r][v] = hn::Add(total[r][v], sums[r][v]);
          }
        }
      }
      left -= now;
      unit += now * Form::kUnitBytes;
      x += now * Form::kRows;
    }
  }
  StorePanel<kRows>(problem, panel, total);
}

template <class Form>
void MultiplyThinPanels(const Form& form, const CompressedProblem& problem,
                        int64_t panel_begin, int64_t panel_end) {
  using Function = void (*)(const Form&, const CompressedProblem&, int64_t);
  static constexpr Function kFunctions[kMaxThinRows] = {
      MultiplyThinPanel<Form, 1>, MultiplyThinPanel<Form, 2>,
      MultiplyThinPanel<Form, 3>, MultiplyThinPanel<Form, 4>,
      MultiplyThinPanel<Form, 5>, MultiplyThinPanel<Form, 6>};
  for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
    kFunctions[problem.rows - 1](form, problem, panel);
  }
}

// ---- More rows ----

void CopyRows(const CompressedProblem& problem, int64_t row_begin,
              int64_t row_end, int64_t k, int64_t depth, float* to) {
  for (int64_t row = row_begin; row < row_end; ++row, to += kBlockDepth) {
    std::memcpy(to, problem.a + row * problem.a_stride + k,
                depth * sizeof(float));
  }
}

// Sets the rows that tiles read, from row_begin on: as they lie where that is
// close together, and else a copy in `copied`, as rows a power of two apart
// push each other out of the cache.
void SetRows(const CompressedProblem& problem, int64_t row_begin,
             int64_t row_end, int64_t k, float* copied, TileArguments& tile) {
  if (problem.a_stride <= kBlockDepth) {
    tile.a = problem.a + row_begin * problem.a_stride + k;
    tile.a_stride = problem.a_stride;
    return;
  }
  CopyRows(problem, row_begin, row_end, k, tile.depth, copied);
  tile.a = copied;
  tile.a_stride = kBlockDepth;
}

// About equally many rows in each tile; `a` is that of row_begin, `c` and
// `before` are those of row 0.
void MultiplyTiles(const CompressedProblem& problem, int64_t row_begin,
                   int64_t row_end, PanelPrefetch& prefetch,
                   TileArguments tile) {
  int64_t tiles = (row_end - row_begin + kTileRows - 1) / kTileRows;
  float* const c = tile.c;
  const float* const before = tile.before;
  for (int64_t row = row_begin, count = 0; row < row_end; row += count) {
    count = (row_end - row + tiles - 1) / tiles;
    --tiles;
    tile.c = c + row * problem.c_stride;
    if (before != nullptr) tile.before = before + row * tile.before_stride;
    prefetch.Deal(tile);
    TileFunctionFor(count)(tile);
    tile.a += count * tile.a_stride;
  }
}

// What sums of a panel begin with: of the first depths, what is added to the
// product, and else what they are so far.
void SetAdded(const CompressedProblem& problem, bool is_first, int64_t column,
              TileArguments& tile) {
  const StridedMatrix before =
      is_first ? problem.before : StridedMatrix{problem.c, problem.c_stride};
  tile.before = before.data == nullptr ? nullptr : before.data + column;
  tile.before_stride = before.row_stride;
  const bool has_bias = is_first && problem.bias != nullptr;
  tile.bias = has_bias ? problem.bias + column : nullptr;
}

// Floats of memory that so many rows of a panel take, about.
int64_t CodesOf(const CompressedMatrix& b, int64_t rows) {
  return b.PanelBytes() * rows / b.depth / static_cast<int64_t>(sizeof(float));
}

// Where row k of a panel is, about; as what it takes is counted in floats.
const float* CodesAt(const CompressedProblem& problem, int64_t panel,
                     int64_t k) {
  return reinterpret_cast<const float*>(problem.packed_b +
                                        panel * problem.b.PanelBytes()) +
         CodesOf(problem.b, k);
}

template <class Form>
void MultiplyBlocks(const Form& form, const CompressedProblem& problem,
                    int64_t row_begin, int64_t row_end, int64_t panel_begin,
                    int64_t panel_end) {
  HWY_ALIGN float rows[kGemmRowsAtATime * kBlockDepth];
  HWY_ALIGN float unpacked[(kBlockDepth + Form::kRows) * kWidth];
  const CompressedMatrix& b = problem.b;
  TileArguments tile;
  tile.b = unpacked;
  tile.b_stride = kWidth;
  tile.c_stride = problem.c_stride;
  for (int64_t k = 0; k < b.depth; k += kBlockDepth) {
    tile.depth = std::min(kBlockDepth, b.depth - k);
    SetRows(problem, row_begin, row_end, k, rows, tile);
    const int64_t tiles = (row_end - row_begin + kTileRows - 1) / kTileRows;
    PanelPrefetch prefetch(CodesOf(b, tile.depth), tile.depth, tiles);
    for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
      Unpack(form, b, problem.packed_b + panel * b.PanelBytes(), k, tile.depth,
             unpacked);
      const int64_t column = panel * kWidth;
      tile.columns = std::min(kWidth, b.columns - column);
      tile.c = problem.c + column;
      SetAdded(problem, k == 0, column, tile);
      prefetch.Begin(panel + 1 < panel_end
                         ? CodesAt(problem, panel + 1, k)
                         : CodesAt(problem, panel_begin, k + tile.depth));
      MultiplyTiles(problem, row_begin, row_end, prefetch, tile);
    }
  }
}

// ---- By form ----

void Prepare(const CompressedProblem& problem, float* thin_rows) {
  WithForm(problem.b, [&](const auto& form) HWY_ATTR {
    for (int64_t row = 0; row < problem.rows; ++row) {
      PrepareRow(form, problem.b, problem.a + row * problem.a_stride,
                 thin_rows + row * ThinRowStride(problem.b));
    }
  });
}

void Run(const CompressedProblem& problem, int64_t row_begin, int64_t row_end,
         int64_t panel_begin, int64_t panel_end) {
  WithForm(problem.b, [&](const auto& form) HWY_ATTR {
    if (problem.rows <= kMaxThinRows) {
      MultiplyThinPanels(form, problem, panel_begin, panel_end);
    } else {
      MultiplyBlocks(form, problem, row_begin, row_end, panel_begin, panel_end);
    }
  });
}

int64_t RowElements(const CompressedMatrix& b) { return ThinRowStride(b); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Prepare);
HWY_EXPORT(Run);
HWY_EXPORT(RowElements);

int64_t ThinRowsElements(const CompressedMatrix& b, int64_t rows) {
  if (rows > kMaxThinRows) return 0;
  return rows * HWY_DYNAMIC_DISPATCH(RowElements)(b);
}

void PrepareThinRows(const CompressedProblem& problem, float* thin_rows) {
  HWY_DYNAMIC_DISPATCH(Prepare)(problem, thin_rows);
}

void RunCompressedGemm(const CompressedProblem& problem, int64_t row_begin,
                       int64_t row_end, int64_t panel_begin,
                       int64_t panel_end) {
  HWY_DYNAMIC_DISPATCH(Run)
  (problem, row_begin, row_end, panel_begin, panel_end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
