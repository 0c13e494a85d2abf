#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_columns.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_finish-inl.h"

namespace dovetail::cpu {

#if defined(__x86_64__)

#pragma GCC push_options
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace {

// What is not put into its caller gives and takes vectors through memory.
#define DOVETAIL_INLINE inline __attribute__((always_inline))

// ---- Four rows of a column ----

// Of each element the four rows' bytes, one after the other, lanes as
// DotColumnPlace says.
struct Column {
  __m512i lanes[kDotVectors];
};

// Elements [at, at + 64) of a row, of which some are outside.
__m512i LoadSome(const uint8_t* row, int64_t at, int64_t size, __m512i fill) {
  const int64_t begin = std::clamp<int64_t>(-at, 0, kDotGroup);
  const int64_t end = std::clamp<int64_t>(size - at, 0, kDotGroup);
  if (begin >= end) return fill;
  const __mmask64 mask = FirstLanes(end) & ~FirstLanes(begin);
  return _mm512_mask_loadu_epi8(fill, mask, row + at);
}

DOVETAIL_INLINE Column LoadColumn(const DotColumnRow& row, int64_t at,
                                  __m512i fill, const uint8_t* const* input) {
  __m512i of[kDotColumnRows];
  const bool all = at >= 0 && at + kDotGroup <= row.input_size;
#pragma GCC unroll 4
  for (int r = 0; r < kDotColumnRows; ++r) {
    if (input[r] == nullptr) {
      of[r] = fill;
    } else {
      of[r] = all ? _mm512_loadu_si512(input[r] + at)
                  : LoadSome(input[r], at, row.input_size, fill);
    }
  }
  const __m512i low01 = _mm512_unpacklo_epi8(of[0], of[1]);
  const __m512i low23 = _mm512_unpacklo_epi8(of[2], of[3]);
  const __m512i high01 = _mm512_unpackhi_epi8(of[0], of[1]);
  const __m512i high23 = _mm512_unpackhi_epi8(of[2], of[3]);
  return {_mm512_unpacklo_epi16(low01, low23),
          _mm512_unpackhi_epi16(low01, low23),
          _mm512_unpacklo_epi16(high01, high23),
          _mm512_unpackhi_epi16(high01, high23)};
}

// ---- Results ----

// In the order of elements.
void StoreFloats(const __m512 (&x)[kDotVectors], char* to, __mmask64 mask,
                 bool all) {
  const __m512 ab_low = _mm512_shuffle_f32x4(x[0], x[1], 0x44);
  const __m512 ab_high = _mm512_shuffle_f32x4(x[0], x[1], 0xee);
  const __m512 cd_low = _mm512_shuffle_f32x4(x[2], x[3], 0x44);
  const __m512 cd_high = _mm512_shuffle_f32x4(x[2], x[3], 0xee);
  const __m512 ordered[kDotVectors] = {
      _mm512_shuffle_f32x4(ab_low, cd_low, 0x88),
      _mm512_shuffle_f32x4(ab_low, cd_low, 0xdd),
      _mm512_shuffle_f32x4(ab_high, cd_high, 0x88),
      _mm512_shuffle_f32x4(ab_high, cd_high, 0xdd)};
#pragma GCC unroll 4
  for (int v = 0; v < kDotVectors; ++v) {
    StoreFloats(ordered[v], to + v * kDotLanes * 4,
                static_cast<__mmask16>(mask >> (v * kDotLanes)), all);
  }
}

void StoreBytes(const __m512 (&x)[kDotVectors], __m512i flips, char* to,
                __mmask64 mask, bool all) {
  const __m512i bytes =
      _mm512_xor_si512(Narrow(x[0], x[1], x[2], x[3]), flips);
  if (all) {
    _mm512_storeu_si512(to, bytes);
  } else {
    _mm512_mask_storeu_epi8(to, mask, bytes);
  }
}

// The sums of a group of a row of results.
using Sums = __m512i[kDotVectors];

DOVETAIL_INLINE void Begin(const DotColumnRow& row, Sums& sums) {
#pragma GCC unroll 4
  for (int v = 0; v < kDotVectors; ++v) {
    sums[v] = _mm512_loadu_si512(row.first_sums + v * kDotLanes);
  }
}

// weights: of the column.
DOVETAIL_INLINE void Add(const Column& column, const int8_t* weights,
                         Sums& sums) {
#pragma GCC unroll 4
  for (int v = 0; v < kDotVectors; ++v) {
    sums[v] =
        _mm512_dpbusd_epi32(sums[v], column.lanes[v],
                            _mm512_loadu_si512(weights + v * kDotLanes * 4));
  }
}

// What a row of results gets of its sums: `count` elements from `at` on.
template <bool kPlain>
DOVETAIL_INLINE void Store(const DotEpilogue& epilogue, const DotForm& form,
                           const Sums& sums, char* output, int64_t at,
                           int64_t count) {
  const bool all = count == kDotGroup;
  const __mmask64 mask = FirstLanes(count);
  __m512 results[kDotVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kDotVectors; ++v) {
    results[v] = Finish<kPlain>(epilogue, form, sums[v], v * kDotLanes, nullptr,
                                /*mask=*/0);
  }
  if (!kPlain && form.activation != IntegerEpilogue::Activation::kNone) {
    FinishActivation(epilogue, results);
  }
  if (!kPlain && form.output_type == ElementType::kF32) {
    StoreFloats(results, output + at * 4, mask, all);
  } else {
    StoreBytes(results, _mm512_set1_epi8(static_cast<char>(form.flip)),
               output + at, mask, all);
  }
}

// ---- Windows of three columns and one block, which share columns ----

constexpr int kColumns = 3;
constexpr int64_t kColumnBytes = kDotGroup * 4;

template <int kRows, bool kPlain>
void RunRow(const DotColumnRow& of_row, const DotEpilogue& epilogue) {
  const DotColumnRow row = of_row;  // which no store can change
  const DotForm form = epilogue.form;
  const __m512i fill = _mm512_loadu_si512(row.fill);
  Column columns[kColumns] = {};
  int64_t from = row.input_at, shared = 0;
  const auto load = [&](int c) {
    return LoadColumn(row, from + c * row.column_step, fill, row.input);
  };
  for (int64_t at = row.output_at; at < row.output_size;
       at += row.output_step) {
    if (shared == 2) {
      columns[0] = columns[1];
      columns[1] = columns[2];
    } else if (shared == 1) {
      columns[0] = columns[2];
    } else {
      columns[0] = load(0);
    }
    if (shared < 2) columns[1] = load(1);
    columns[2] = load(2);
    const int8_t* weights = row.weights;
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) {
      Sums sums;
      Begin(row, sums);
#pragma GCC unroll 3
      for (int c = 0; c < kColumns; ++c, weights += kColumnBytes) {
        Add(columns[c], weights, sums);
      }
      Store<kPlain>(epilogue, form, sums, row.output[r], at,
                    std::min(row.lanes, row.output_size - at));
    }
    from += row.input_step;
    shared = row.shared;
  }
}

// ---- Other windows ----

// kRows: those that weights are for, of which the last may not be there.
template <int kRows, int kBlocks, bool kPlain>
void RunWindows(const DotColumnRow& of_row, const DotEpilogue& epilogue) {
  const DotColumnRow row = of_row;
  const DotForm form = epilogue.form;
  const __m512i fill = _mm512_loadu_si512(row.fill);
  const int64_t row_bytes = row.columns * kBlocks * kColumnBytes;
  int64_t from = row.input_at;
  for (int64_t at = row.output_at; at < row.output_size;
       at += row.output_step) {
    Sums sums[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) Begin(row, sums[r]);
    const int8_t* weights = row.weights;
    for (int64_t c = 0; c < row.columns; ++c) {
#pragma GCC unroll 2
      for (int b = 0; b < kBlocks; ++b, weights += kColumnBytes) {
        const Column column = LoadColumn(row, from + c * row.column_step, fill,
                                         row.input + b * kDotColumnRows);
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
          Add(column, weights + r * row_bytes, sums[r]);
        }
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      if (r >= row.rows) break;
      Store<kPlain>(epilogue, form, sums[r], row.output[r], at,
                    std::min(row.lanes, row.output_size - at));
    }
    from += row.input_step;
  }
}

template <int kRows, int kBlocks>
void RunWindows(const DotColumnRow& row, const DotEpilogue& epilogue,
                bool plain) {
  plain ? RunWindows<kRows, kBlocks, true>(row, epilogue)
        : RunWindows<kRows, kBlocks, false>(row, epilogue);
}

template <int kBlocks>
void RunWindows(const DotColumnRow& row, const DotEpilogue& epilogue,
                bool plain) {
  switch (row.weight_rows) {
    case 4:
      return RunWindows<4, kBlocks>(row, epilogue, plain);
    case 2:
      return RunWindows<2, kBlocks>(row, epilogue, plain);
    default:
      return RunWindows<1, kBlocks>(row, epilogue, plain);
  }
}

#undef DOVETAIL_INLINE

}  // namespace

void RunDotColumns(const DotColumnRow& row, const DotEpilogue& epilogue) {
  const bool plain = IsPlain(epilogue.form, /*has_residual=*/false);
  if (row.blocks == 2) return RunWindows<2>(row, epilogue, plain);
  if (row.columns != kColumns || row.weight_rows > 2) {
    return RunWindows<1>(row, epilogue, plain);
  }
  if (row.rows == 2) {
    plain ? RunRow<2, true>(row, epilogue) : RunRow<2, false>(row, epilogue);
  } else {
    plain ? RunRow<1, true>(row, epilogue) : RunRow<1, false>(row, epilogue);
  }
}

#pragma GCC pop_options

#else

void RunDotColumns(const DotColumnRow&, const DotEpilogue&) {}

#endif

}  // namespace dovetail::cpu
