#include "dovetail/backends/cpu/kernels/recurrent/narrow_product.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/common/isa/isa_limit.h"
#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/recurrent/narrow_pairs.h"
#include "dovetail/backends/cpu/kernels/recurrent/narrow_tiles.h"
#include "dovetail/backends/cpu/kernels/recurrent/weight_codes.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kLine = 64;
constexpr int64_t kNarrowPanel = 32;  // but for pairs

// Of bf16 an even number, since single rows are multiplied two at a time.
int64_t UnitsOf(NarrowForm form, int64_t depth) {
  return IsOfCodes(form) ? CeilDivide(depth, 4) : CeilDivide(depth, 4) * 2;
}

// The code of a number of a column.
int8_t CodeOf(float number, float inverse) {
  const float code = number * inverse;
  return static_cast<int8_t>(code + (code < 0 ? -0.5f : 0.5f));
}

void PackPairs(const float* columns_of, int64_t columns, int64_t depth,
               void* packed) {
  auto* const scales = static_cast<float*>(packed);
  int8_t* const codes = static_cast<int8_t*>(packed) + kPairsHead;
  for (int64_t j = 0; j < columns; ++j) {
    const float* const numbers = columns_of + j * depth;
    scales[j] = ScaleOfCodes(numbers, depth);
    for (int64_t k = 0; k < depth; ++k) {
      codes[(k / 4 * kPairsPanel + j) * 4 + kPlaceInWord[k % 4]] =
          CodeOf(numbers[k], 1 / scales[j]);
    }
  }
}

void PackCodes(const float* columns_of, int64_t columns, int64_t depth,
               void* packed) {
  auto* const first_sums = static_cast<int32_t*>(packed);
  auto* const scales = reinterpret_cast<float*>(first_sums + kNarrowPanel);
  auto* const codes = reinterpret_cast<int8_t*>(scales + kNarrowPanel);
  for (int64_t j = 0; j < columns; ++j) {
    const float* const numbers = columns_of + j * depth;
    const float scale = ScaleOfCodes(numbers, depth), inverse = 1 / scale;
    int64_t sum = 0;
    for (int64_t k = 0; k < depth; ++k) {
      const int8_t code = CodeOf(numbers[k], inverse);
      codes[(k / 4 * kNarrowPanel + j) * 4 + k % 4] = code;
      sum += code;
    }
    // The highest byte of a row's number is stored with 128 added to it.
    first_sums[j] = static_cast<int32_t>(-128 * sum);
    scales[j] = scale;
  }
}

// And zeros up to whole lines, which tiles multiply.
void RoundRowToBf16(const float* from, int64_t count, uint16_t* to) {
  RoundRow(from, count, RoundUp(count, kBf16Depth), to);
}

void PackBf16(const float* columns_of, int64_t columns, int64_t depth,
              void* packed) {
  constexpr int64_t kPart = 256;
  alignas(kLine) uint16_t rounded[kPart];
  auto* const words = static_cast<uint8_t*>(packed);
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t k = 0; k < depth; k += kPart) {
      const int64_t part = std::min(kPart, depth - k);
      RoundRowToBf16(columns_of + j * depth + k, part, rounded);
      for (int64_t i = 0; i < part; i += 2) {
        std::memcpy(words + ((k + i) / 2 * kNarrowPanel + j) * 4, rounded + i,
                    4);
      }
    }
  }
}

// Of bytes, or of 16 bits.
int64_t PlaneBytes(NarrowForm form, int64_t depth) {
  const int64_t bytes = IsOfPairs(form) ? 2 : 1;
  return CeilDivide(4 * UnitsOf(form, depth) * bytes, kLine) * kLine;
}

NarrowSizes SizesOf(NarrowForm form, int64_t depth) {
  NarrowSizes sizes;
  sizes.depth = depth;
  sizes.units = UnitsOf(form, depth);
  sizes.plane_bytes = PlaneBytes(form, depth);
  sizes.row_bytes = NarrowRowBytes(form, depth);
  sizes.panel_bytes = NarrowPanelBytes(form, depth);
  return sizes;
}

void MultiplyByTiles(const NarrowProduct& product, const NarrowSizes& sizes,
                     int64_t row_begin, int64_t row_end, int64_t panel_begin,
                     int64_t panel_end) {
  const auto* const rows = static_cast<const uint8_t*>(product.rows);
  const auto* const panels = static_cast<const uint8_t*>(product.panels);
  Bf16Product tiles;
  tiles.rows = row_end - row_begin;
  tiles.depth = RoundUp(product.depth, kBf16Depth);
  tiles.panels = panel_end - panel_begin;
  tiles.a =
      reinterpret_cast<const uint16_t*>(rows + row_begin * sizes.row_bytes);
  tiles.a_stride = sizes.row_bytes / 2;
  tiles.b = reinterpret_cast<const uint32_t*>(panels +
                                              panel_begin * sizes.panel_bytes);
  tiles.panel_words = sizes.panel_bytes / 4;
  tiles.c = product.sums + row_begin * product.sums_stride +
            panel_begin * kNarrowPanel;
  tiles.c_stride = product.sums_stride;
  MultiplyBf16ByTiles(tiles);
}

}  // namespace

#if defined(__x86_64__)
bool HasNarrowProducts(NarrowForm form) {
  if (IsOfPairs(form)) {
    return Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx2) &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  const bool is_bf16 = form == NarrowForm::kBf16;
  const Isa level = is_bf16 ? Isa::kAvx512Bf16 : Isa::kAvx512Vnni;
  return form != NarrowForm::kNone &&
         Includes(IsaLimit().value_or(Isa::kAll), level) &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") &&
         (is_bf16 ? __builtin_cpu_supports("avx512bf16")
                  : __builtin_cpu_supports("avx512vnni"));
}
#else
bool HasNarrowProducts(NarrowForm) { return false; }
#endif

int64_t NarrowPanelBytes(NarrowForm form, int64_t depth) {
  if (form == NarrowForm::kBf16) {
    return NarrowPanelWidth(form) * 2 * RoundUp(depth, kBf16Depth);
  }
  const int64_t head = IsOfPairs(form) ? 4 : 8;
  return NarrowPanelWidth(form) *
         ((IsOfCodes(form) ? head : 0) + 4 * UnitsOf(form, depth));
}

void PackNarrowPanel(NarrowForm form, const float* columns_of, int64_t columns,
                     int64_t depth, void* packed) {
  std::memset(packed, 0, NarrowPanelBytes(form, depth));
  if (IsOfPairs(form)) {
    PackPairs(columns_of, columns, depth, packed);
  } else if (IsOfCodes(form)) {
    PackCodes(columns_of, columns, depth, packed);
  } else {
    PackBf16(columns_of, columns, depth, packed);
  }
}

int64_t NarrowRowBytes(NarrowForm form, int64_t depth) {
  const int64_t plane = PlaneBytes(form, depth);
  switch (form) {
    case NarrowForm::kPairs16:
      return kNarrowRowHead + plane;
    case NarrowForm::kCodes16:
    case NarrowForm::kPairs:
      return kNarrowRowHead + 2 * plane;
    case NarrowForm::kCodes24:
      return kNarrowRowHead + 3 * plane;
    default:
      return plane;
  }
}

void PrepareNarrowRows(NarrowForm form, const float* rows, int64_t stride,
                       int64_t depth, int64_t begin, int64_t end,
                       void* prepared) {
  const NarrowSizes sizes = SizesOf(form, depth);
  for (int64_t row = begin; row < end; ++row) {
    const float* const from = rows + row * stride;
    auto* const to = static_cast<uint8_t*>(prepared) + row * sizes.row_bytes;
    if (form == NarrowForm::kBf16) {
      RoundRowToBf16(from, depth, reinterpret_cast<uint16_t*>(to));
    } else if (IsOfPairs(form)) {
      CutRowForPairs(from, sizes, form == NarrowForm::kPairs, to);
    } else {
      CutRow(from, sizes, form == NarrowForm::kCodes16 ? 2 : 3, to);
    }
  }
}

void RunNarrowProduct(const NarrowProduct& product, int64_t row_begin,
                      int64_t row_end, int64_t panel_begin, int64_t panel_end) {
  const NarrowSizes sizes = SizesOf(product.form, product.depth);
  if (product.form == NarrowForm::kBf16 && HasBf16Tiles()) {
    return MultiplyByTiles(product, sizes, row_begin, row_end, panel_begin,
                           panel_end);
  }
  const NarrowTiles tiles = IsOfPairs(product.form) ? PairsTiles(product.form)
                                                    : TilesOf(product.form);
  const int64_t width = NarrowPanelWidth(product.form);
  const auto* const rows = static_cast<const uint8_t*>(product.rows);
  const auto* const panels = static_cast<const uint8_t*>(product.panels);
  for (int64_t panel = panel_begin; panel < panel_end; panel += 2) {
    const bool is_pair = panel + 1 < panel_end;
    for (int64_t row = row_begin; row < row_end;) {
      const int64_t count = std::min(row_end - row, tiles.rows);
      tiles.of[is_pair][count - 1](
          sizes, rows + row * sizes.row_bytes,
          panels + panel * sizes.panel_bytes,
          product.sums + row * product.sums_stride + panel * width,
          product.sums_stride);
      row += count;
    }
  }
}

}  // namespace dovetail::cpu
