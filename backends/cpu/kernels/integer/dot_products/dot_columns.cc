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

Column LoadColumn(const DotColumnRow& row, int64_t at, __m512i fill) {
  __m512i of[kDotColumnRows];
  const bool all = at >= 0 && at + kDotGroup <= row.input_size;
#pragma GCC unroll 4
  for (int r = 0; r < kDotColumnRows; ++r) {
    if (row.input[r] == nullptr) {
      of[r] = fill;
    } else {
      of[r] = all ? _mm512_loadu_si512(row.input[r] + at)
                  : LoadSome(row.input[r], at, row.input_size, fill);
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

// A group of each of `kRows` rows of results: `count` elements from `at` on.
template <int kRows, bool kPlain>
void RunGroup(const DotColumnRow& row, const DotEpilogue& epilogue,
              const DotForm& form, const Column (&columns)[kDotColumns],
              int64_t at, int64_t count) {
  const bool all = count == kDotGroup;
  const __mmask64 mask = FirstLanes(count);
  const int8_t* weights = row.weights;
#pragma GCC unroll 2
  for (int r = 0; r < kRows; ++r) {
    __m512 results[kDotVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kDotVectors; ++v) {
      __m512i sums = _mm512_loadu_si512(row.first_sums + v * kDotLanes);
#pragma GCC unroll 3
      for (int c = 0; c < kDotColumns; ++c) {
        sums = _mm512_dpbusd_epi32(
            sums, columns[c].lanes[v],
            _mm512_loadu_si512(weights +
                               (c * kDotVectors + v) * kDotLanes * 4));
      }
      results[v] = Finish<kPlain>(epilogue, form, sums, v * kDotLanes, nullptr,
                                  /*mask=*/0);
    }
    weights += kDotColumns * kDotGroup * 4;
    if (!kPlain && form.activation != IntegerEpilogue::Activation::kNone) {
      FinishActivation(epilogue, results);
    }
    if (!kPlain && form.output_type == ElementType::kF32) {
      StoreFloats(results, row.output[r] + at * 4, mask, all);
    } else {
      StoreBytes(results, _mm512_set1_epi8(static_cast<char>(form.flip)),
                 row.output[r] + at, mask, all);
    }
  }
}

template <int kRows, bool kPlain>
void RunRow(const DotColumnRow& of_row, const DotEpilogue& epilogue) {
  const DotColumnRow row = of_row;  // which no store can change
  const DotForm form = epilogue.form;
  const __m512i fill = _mm512_loadu_si512(row.fill);
  Column columns[kDotColumns] = {};
  int64_t from = row.input_at, shared = 0;
  for (int64_t at = row.output_at; at < row.output_size;
       at += row.output_step) {
    if (shared == 2) {
      columns[0] = columns[1];
      columns[1] = columns[2];
    } else if (shared == 1) {
      columns[0] = columns[2];
    } else {
      columns[0] = LoadColumn(row, from, fill);
    }
    if (shared < 2) columns[1] = LoadColumn(row, from + row.column_step, fill);
    columns[2] = LoadColumn(row, from + 2 * row.column_step, fill);
    RunGroup<kRows, kPlain>(row, epilogue, form, columns, at,
                            std::min(row.lanes, row.output_size - at));
    from += row.input_step;
    shared = row.shared;
  }
}

}  // namespace

void RunDotColumns(const DotColumnRow& row, const DotEpilogue& epilogue) {
  const bool plain = IsPlain(epilogue.form, /*has_residual=*/false);
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
