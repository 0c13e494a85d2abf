#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/attention/narrow/narrow_attention.cc"
#include <algorithm>
#include <cmath>

#include "dovetail/backends/cpu/kernels/attention/narrow/bf16_numerators.h"
#include "dovetail/backends/cpu/kernels/attention/narrow/narrow_attention.h"
#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/core/base/checked_math.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/cpu/kernels/attention/rows-inl.h"

#ifndef DOVETAIL_NARROW_ATTENTION_SIZES
#define DOVETAIL_NARROW_ATTENTION_SIZES
namespace dovetail::cpu {
namespace {

// Queries of one call.
constexpr int64_t kMostRows = 128;

// Extents as they are padded.
struct NarrowSizes {
  explicit NarrowSizes(const AttentionProblem& problem)
      : depth(RoundUp(problem.depth, kBf16Depth)),
        keys(RoundUp(problem.keys, kBf16Panel)),
        width(RoundUp(problem.width, kBf16Panel)) {}

  int64_t key_panel_words() const { return depth / 2 * kBf16Panel; }
  int64_t value_panel_words() const { return keys / 2 * kBf16Panel; }

  int64_t depth, keys, width;
};
static_assert(kBf16Panel % kBf16Depth == 0);

// Rows are as many as are in memory, padded.
struct NarrowScratch {
  NarrowScratch(const NarrowSizes& sizes, int64_t rows, float* memory)
      : scores(memory),
        out(scores + rows * sizes.keys),
        weights(reinterpret_cast<uint16_t*>(out + rows * sizes.width)),
        queries(weights + rows * sizes.keys) {}

  float *scores, *out;
  uint16_t *weights, *queries;
};

}  // namespace
}  // namespace dovetail::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// Numerators of a row of `count` scores; answers what to multiply sums of
// values with.
float NumeratorRow(const AttentionProblem& problem, int64_t row, float* scores,
                   int64_t count, int64_t padded, uint16_t* to) {
  const int64_t seen = problem.causal ? std::min(count, row + 1) : count;
  const AttentionMask& mask = problem.mask;
  // Scaled as they are read, which leaves the greatest where it is.
  const bool as_they_are =
      problem.scale >= 0 &&
      (problem.causal || (mask.numbers == nullptr && mask.flags == nullptr));
  const float scale = as_they_are ? problem.scale : 1;
  float greatest = as_they_are ? GreatestScore(scores, seen) * scale
                               : Masker(problem, row).Apply(scores, seen);
  float sum = 0;
  if (problem.sink != nullptr) {
    const float sink = problem.sink[row * problem.sink_stride];
    greatest = std::max(greatest, sink);
    sum = std::exp(sink - greatest);
  }
  sum += NumeratorsOf(scores, seen, scale, greatest, padded, to);
  return 1 / sum;
}

void AttendNarrow(const AttentionProblem& problem, const uint32_t* packed,
                  int64_t row_begin, int64_t row_end, float* memory) {
  const NarrowSizes sizes(problem);
  const int64_t rows = row_end - row_begin;
  const NarrowScratch scratch(sizes, RoundUp(rows, kBf16Rows), memory);
  for (int64_t row = 0; row < rows; ++row) {
    RoundRow(problem.q.data + (row_begin + row) * problem.q.stride,
             problem.depth, sizes.depth, scratch.queries + row * sizes.depth);
  }
  const int64_t seen =
      problem.causal ? std::min(problem.keys, row_end) : problem.keys;
  const int64_t seen_padded = RoundUp(seen, kBf16Panel);
  Bf16Product of_keys = {
      rows,        sizes.depth, seen_padded / kBf16Panel, scratch.queries,
      sizes.depth, packed,      sizes.key_panel_words(),  scratch.scores,
      sizes.keys};
  of_keys.used_depth = problem.depth;
  of_keys.used_columns = seen;
  MultiplyBf16(of_keys);

  float factors[kMostRows];
  for (int64_t row = 0; row < rows; ++row) {
    float* const scores = scratch.scores + row * sizes.keys;
    factors[row] =
        NumeratorRow(problem, row_begin + row, scores, seen, seen_padded,
                     scratch.weights + row * sizes.keys);
  }
  Bf16Product of_values = {
      rows,
      seen_padded,
      sizes.width / kBf16Panel,
      scratch.weights,
      sizes.keys,
      packed + sizes.keys / kBf16Panel * sizes.key_panel_words(),
      sizes.value_panel_words(),
      scratch.out,
      sizes.width};
  of_values.used_depth = seen;
  of_values.used_columns = problem.width;
  MultiplyBf16(of_values);

  for (int64_t row = 0; row < rows; ++row) {
    float* const out = scratch.out + row * sizes.width;
    const int64_t place = (row_begin + row) * problem.out_stride;
    Scale(out, problem.width, factors[row]);
    if (problem.narrow_out != nullptr) {
      RoundRow(out, problem.width, problem.width, problem.narrow_out + place);
    } else {
      std::copy_n(out, problem.width, problem.out + place);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

// Of packing: a panel of keys lies on the stack.
constexpr int64_t kLongest = 512;
// Scores of one call: a part of the L2 cache.
constexpr int64_t kMaxScores = int64_t{1} << 16;

}  // namespace

HWY_EXPORT(AttendNarrow);

namespace {

// As words of two elements each, keys are columns of panels like those of f32.
void PackKeys(const AttentionProblem& problem, const NarrowSizes& sizes,
              float* packed) {
  alignas(64) float words[kBf16Panel * kLongest / 2];
  const int64_t row = sizes.depth / 2;
  for (int64_t key = 0; key < problem.keys; key += kBf16Panel) {
    const int64_t count = std::min(kBf16Panel, problem.keys - key);
    for (int64_t i = 0; i < count; ++i) {
      RoundRow(problem.k.data + (key + i) * problem.k.stride, problem.depth,
               sizes.depth, reinterpret_cast<uint16_t*>(words + i * row));
    }
    PackGemmPanels({words, 1, row}, row, count, 0, 1,
                   packed + key / kBf16Panel * sizes.key_panel_words());
  }
}

void PackValues(const AttentionProblem& problem, const NarrowSizes& sizes,
                uint32_t* packed) {
  const auto value = [&](int64_t key) {
    return key < problem.keys ? problem.v.data + key * problem.v.stride
                              : nullptr;
  };
  for (int64_t key = 0; key < sizes.keys; key += 2) {
    const float *const first = value(key), *const second = value(key + 1);
    uint32_t* to = packed + key / 2 * kBf16Panel;
    for (int64_t column = 0; column < sizes.width; column += kBf16Panel) {
      InterleaveRows(first == nullptr ? nullptr : first + column,
                     second == nullptr ? nullptr : second + column,
                     std::min(kBf16Panel, problem.width - column), kBf16Panel,
                     to);
      to += sizes.value_panel_words();
    }
  }
}

}  // namespace

bool HasNarrowAttention(int64_t depth) {
  return depth <= kLongest && HasBf16Products() &&
         GemmPanelWidth() == kBf16Panel;
}

int64_t NarrowAttentionRowsAtATime(int64_t queries, int64_t keys) {
  if (queries <= kBf16Rows) return queries;
  const int64_t most =
      std::clamp<int64_t>(kMaxScores / std::max<int64_t>(keys, 1), kBf16Rows,
                          kMostRows) /
      kBf16Rows * kBf16Rows;
  const int64_t parts = CeilDivide(queries, most);
  return std::min(queries, RoundUp(CeilDivide(queries, parts), kBf16Rows));
}

int64_t PackedNarrowAttentionElements(const AttentionProblem& problem) {
  const NarrowSizes sizes(problem);
  return sizes.keys / 2 * (sizes.depth + sizes.width);
}

void PackNarrowAttention(const AttentionProblem& problem, float* packed) {
  const NarrowSizes sizes(problem);
  PackKeys(problem, sizes, packed);
  PackValues(
      problem, sizes,
      reinterpret_cast<uint32_t*>(packed + sizes.keys / 2 * sizes.depth));
}

int64_t NarrowAttentionScratchElements(const AttentionProblem& problem,
                                       int64_t rows) {
  const NarrowSizes sizes(problem);
  return RoundUp(rows, kBf16Rows) *
         (sizes.keys + sizes.width + (sizes.keys + sizes.depth) / 2);
}

void RunNarrowAttention(const AttentionProblem& problem, const float* packed,
                        int64_t row_begin, int64_t row_end, float* scratch) {
  HWY_DYNAMIC_DISPATCH(AttendNarrow)
  (problem, reinterpret_cast<const uint32_t*>(packed), row_begin, row_end,
   scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
