#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/attention/attention.cc"
#include <algorithm>
#include <cmath>

#include "dovetail/backends/cpu/kernels/attention/attention.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/cpu/kernels/attention/rows-inl.h"
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// Scores of a row, and what fills up its last panel.
int64_t ScoreStride(int64_t keys) {
  return (keys + PanelWidth() - 1) / PanelWidth() * PanelWidth();
}

// Scores become exp(score - greatest), those too that fill up the last vector;
// answers their sum.
float Exponentials(float* scores, int64_t count, float greatest) {
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  const auto shift = hn::Set(d, greatest);
  auto sums = hn::Zero(d);
  for (int64_t i = 0; i < count; i += kLanes) {
    const auto e = ExpOfNegative(d, hn::Sub(hn::LoadU(d, scores + i), shift));
    hn::StoreU(e, d, scores + i);
    sums = hn::Add(sums, e);
  }
  return hn::GetLane(hn::SumOfLanes(d, sums));
}

// Of one row with room for whole vectors, but for the division: answers what to
// multiply with instead.
float SoftmaxRow(const AttentionProblem& problem, int64_t row, float* scores,
                 int64_t count) {
  const int64_t seen = problem.causal ? std::min(count, row + 1) : count;
  float greatest = Masker(problem, row).Apply(scores, seen);
  float sum = 0;
  if (problem.sink != nullptr) {
    const float sink = problem.sink[row * problem.sink_stride];
    greatest = std::max(greatest, sink);
    sum = std::exp(sink - greatest);
  }
  sum += Exponentials(scores, seen, greatest);
  if (seen < count) std::fill(scores + seen, scores + count, 0.0f);
  return 1 / sum;
}

// ---- Few queries: keys and values as they are ----

float DotProduct(const float* a, const float* b, int64_t count) {
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
  int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    sum0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum0);
    sum1 = hn::MulAdd(hn::LoadU(d, a + i + kLanes),
                      hn::LoadU(d, b + i + kLanes), sum1);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

void AttendInPlace(const AttentionProblem& problem, int64_t row_begin,
                   int64_t row_end, float* scores) {
  const int64_t rows = row_end - row_begin;
  const int64_t stride = ScoreStride(problem.keys);
  for (int64_t key = 0; key < problem.keys; ++key) {
    const float* const k = problem.k.data + key * problem.k.stride;
    for (int64_t row = 0; row < rows; ++row) {
      scores[row * stride + key] =
          DotProduct(problem.q.data + (row_begin + row) * problem.q.stride, k,
                     problem.depth);
    }
  }
  float factors[kTileRows];
  for (int64_t row = 0; row < rows; ++row) {
    factors[row] = SoftmaxRow(problem, row_begin + row, scores + row * stride,
                              problem.keys);
  }
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  TileArguments tile;
  tile.depth = problem.keys;
  tile.a = scores;
  tile.a_stride = stride;
  tile.b_stride = problem.v.stride;
  tile.c_stride = problem.out_stride;
  tile.columns = kWidth;
  for (int64_t column = 0; column < problem.width; column += kWidth) {
    tile.b = problem.v.data + column;
    tile.c = problem.out + row_begin * problem.out_stride + column;
    TileFunctionFor(rows)(tile);
  }
  for (int64_t row = 0; row < rows; ++row) {
    Scale(problem.out + (row_begin + row) * problem.out_stride, problem.width,
          factors[row]);
  }
}

// ---- Many ----

void AttendPacked(const AttentionProblem& problem, const float* packed,
                  int64_t row_begin, int64_t row_end, float* scores) {
  const int64_t seen =
      problem.causal ? std::min(problem.keys, row_end) : problem.keys;
  const int64_t stride = ScoreStride(problem.keys);
  GemmProblem products;
  products.rows = row_end - row_begin;
  products.depth = problem.depth;
  products.columns = ScoreStride(seen);  // panels are whole in memory
  products.a = {problem.q.data + row_begin * problem.q.stride, problem.q.stride,
                1};
  products.packed_b = packed;
  products.c = scores;
  products.c_stride = stride;
  RunGemm(products, 0, products.rows, 0, GemmPanels(seen));

  float factors[kGemmRowsAtATime];
  for (int64_t row = 0; row < products.rows; ++row) {
    factors[row] =
        SoftmaxRow(problem, row_begin + row, scores + row * stride, seen);
  }
  float* const out = problem.out + row_begin * problem.out_stride;
  products.depth = seen;
  products.packed_depth = problem.keys;
  products.columns = problem.width;
  products.a = {scores, stride, 1};
  products.packed_b = packed + PackedGemmElements(problem.depth, problem.keys);
  products.c = out;
  products.c_stride = problem.out_stride;
  RunGemm(products, 0, products.rows, 0, GemmPanels(problem.width));
  for (int64_t row = 0; row < products.rows; ++row) {
    Scale(out + row * problem.out_stride, problem.width, factors[row]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

// Scores of one call: a part of the L2 cache.
constexpr int64_t kMaxScores = int64_t{1} << 15;

}  // namespace

HWY_EXPORT(AttendInPlace);
HWY_EXPORT(AttendPacked);

int64_t AttentionRowsAtATime(int64_t queries, int64_t keys) {
  const int64_t tile = GemmTileRows();
  if (queries <= tile) return queries;
  const int64_t most =
      std::clamp<int64_t>(kMaxScores / std::max<int64_t>(keys, 1), tile,
                          kGemmRowsAtATime) /
      tile * tile;
  const int64_t parts = (queries + most - 1) / most;
  const int64_t rows = (queries + parts - 1) / parts;
  return (rows + tile - 1) / tile * tile;
}

bool AttentionReadsInPlace(int64_t queries, int64_t width) {
  return queries <= std::min<int64_t>(GemmTileRows(), 6) &&
         width % GemmPanelWidth() == 0;
}

int64_t PackedAttentionElements(const AttentionProblem& problem) {
  return PackedGemmElements(problem.depth, problem.keys) +
         PackedGemmElements(problem.keys, problem.width);
}

void PackAttention(const AttentionProblem& problem, float* packed) {
  PackGemmPanels({problem.k.data, 1, problem.k.stride}, problem.depth,
                 problem.keys, 0, GemmPanels(problem.keys), packed);
  PackGemmPanels({problem.v.data, problem.v.stride, 1}, problem.keys,
                 problem.width, 0, GemmPanels(problem.width),
                 packed + PackedGemmElements(problem.depth, problem.keys));
}

int64_t AttentionScratchElements(int64_t rows, int64_t keys) {
  return rows * GemmPanels(keys) * GemmPanelWidth();
}

void RunAttention(const AttentionProblem& problem, const float* packed,
                  int64_t row_begin, int64_t row_end, float* scratch) {
  if (packed == nullptr) {
    HWY_DYNAMIC_DISPATCH(AttendInPlace)(problem, row_begin, row_end, scratch);
  } else {
    HWY_DYNAMIC_DISPATCH(AttendPacked)
    (problem, packed, row_begin, row_end, scratch);
  }
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
