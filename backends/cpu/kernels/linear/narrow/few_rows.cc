#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"

#if defined(__x86_64__)
#include <cstring>

#include "dovetail/backends/cpu/kernels/common/bf16_target.h"

namespace dovetail::cpu {
namespace {

static_assert(kBf16Columns == kBf16Lanes);

// Memory is fetched so far ahead of its use: what the processor fetches by
// itself comes late where its last cache is far away.
constexpr int64_t kWordsAhead = 1024;

DOVETAIL_BF16 __m512bh PairsAt(const uint32_t* words) {
  return reinterpret_cast<__m512bh>(_mm512_loadu_si512(words));
}

DOVETAIL_BF16 __m512bh RepeatedPair(const uint16_t* pair) {
  int32_t word;
  std::memcpy(&word, pair, sizeof(word));
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(word));
}

// Adds a row of a panel, two elements of the depth, to sums.
template <int kRows, int kVectors>
DOVETAIL_BF16 inline __attribute__((always_inline)) void AddPair(
    const uint16_t* a, int64_t a_stride, const uint32_t* b,
    __m512 (&sums)[kRows][kVectors]) {
  __m512bh factors[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) factors[r] = RepeatedPair(a + r * a_stride);
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const uint32_t* const at = b + v * kBf16Lanes;
    __builtin_prefetch(at + kWordsAhead);
    const __m512bh pairs = PairsAt(at);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      sums[r][v] = _mm512_dpbf16_ps(sums[r][v], pairs, factors[r]);
    }
  }
}

// Bias, and what is added, where there are such.
DOVETAIL_BF16 void StoreSums(const FewRowsProblem& problem, int64_t row,
                             int64_t column, __m512 sums) {
  const __mmask16 there = FirstLanes(problem.columns - column);
  if (problem.bias != nullptr) {
    const __m512 bias = _mm512_maskz_loadu_ps(there, problem.bias + column);
    sums = _mm512_add_ps(sums, bias);
  }
  if (problem.before.data != nullptr) {
    const float* const before =
        problem.before.data + row * problem.before.row_stride + column;
    sums = _mm512_add_ps(sums, _mm512_maskz_loadu_ps(there, before));
  }
  _mm512_mask_storeu_ps(problem.c + row * problem.c_stride + column, there,
                        sums);
}

// Two chains of sums, so that none waits for the one before.
template <int kRows, int kVectors>
DOVETAIL_BF16 void MultiplyPanel(const FewRowsProblem& problem, int64_t panel) {
  __m512 even[kRows][kVectors], odd[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows * kVectors; ++i) {
    even[i / kVectors][i % kVectors] = _mm512_setzero_ps();
    odd[i / kVectors][i % kVectors] = _mm512_setzero_ps();
  }
  const uint16_t* a = problem.a;
  const int64_t a_stride = problem.a_stride;
  const uint32_t* b = problem.b + panel * problem.panels.words;
  constexpr int64_t kWidth = kVectors * kBf16Lanes;
  const int64_t pairs = (problem.depth + 1) / 2;
  for (int64_t i = 0; i + 1 < pairs; i += 2, a += 4, b += 2 * kWidth) {
    AddPair(a, a_stride, b, even);
    AddPair(a + 2, a_stride, b + kWidth, odd);
  }
  if (pairs % 2 != 0) AddPair(a, a_stride, b, even);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      StoreSums(problem, r, panel * kWidth + v * kBf16Lanes,
                _mm512_add_ps(even[r][v], odd[r][v]));
    }
  }
}

using PanelFunction = void (*)(const FewRowsProblem&, int64_t);
constexpr PanelFunction kFunctions[kMaxFewRows][kMaxBf16Width / kBf16Lanes] = {
    {MultiplyPanel<1, 1>, MultiplyPanel<1, 2>, MultiplyPanel<1, 3>,
     MultiplyPanel<1, 4>},
    {MultiplyPanel<2, 1>, MultiplyPanel<2, 2>, MultiplyPanel<2, 3>,
     MultiplyPanel<2, 4>},
    {MultiplyPanel<3, 1>, MultiplyPanel<3, 2>, MultiplyPanel<3, 3>,
     MultiplyPanel<3, 4>},
    {MultiplyPanel<4, 1>, MultiplyPanel<4, 2>, MultiplyPanel<4, 3>,
     MultiplyPanel<4, 4>}};

}  // namespace

void MultiplyFewRows(const FewRowsProblem& problem, int64_t begin,
                     int64_t end) {
  const PanelFunction multiply =
      kFunctions[problem.rows - 1][problem.panels.width / kBf16Columns - 1];
  for (int64_t panel = begin; panel < end; ++panel) multiply(problem, panel);
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

void MultiplyFewRows(const FewRowsProblem&, int64_t, int64_t) {}

}  // namespace dovetail::cpu

#endif
