#include "dovetail/backends/cpu/kernels/integer/few_channels/few_channels_band.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dovetail/backends/common/isa/isa_limit.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Highway has no target of just these, which processors have that lack the rest
// of its own.
#pragma GCC push_options
// In headers of GCC, where a value does not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace dovetail::cpu {
namespace {

using Method = FewChannelsIntegerMethod;

constexpr int64_t kLanes = Method::kLanes;
constexpr int64_t kMost = Method::kMostVectors * kLanes;

// ---- The copy ----

__mmask16 FirstOf(int64_t count) {
  return static_cast<__mmask16>((1u << std::min<int64_t>(count, kLanes)) - 1);
}

// Up to 16 pixels from `planes` channels, `step` apart.
__m512i JoinPixels(const uint8_t* from, int64_t step, int64_t channels,
                   __mmask16 mask) {
  __m512i pixels = _mm512_setzero_si512();
  for (int64_t c = channels - 1; c >= 0; --c) {
    const __m512i channel = _mm512_cvtepu8_epi32(
        _mm_maskz_loadu_epi8(mask, from + c * step));
    pixels = _mm512_or_si512(_mm512_slli_epi32(pixels, 8), channel);
  }
  return pixels;
}

void CopyPixels(const Method& convolution, const uint8_t* from, uint8_t* to) {
  const IntegerConvolutionShape& shape = convolution.shape();
  const int64_t width = shape.columns.input;
  const int64_t plane = shape.rows.input * width;
  const __m512i flip =
      _mm512_set1_epi8(static_cast<char>(convolution.flip()));
  for (int64_t x = 0; x < width; x += kLanes) {
    const __mmask16 mask = FirstOf(width - x);
    const __m512i pixels = JoinPixels(from + x, plane, shape.inputs, mask);
    _mm512_mask_storeu_epi32(to + x * 4, mask, _mm512_xor_si512(pixels, flip));
  }
}

void CopyBytes(const Method& convolution, const uint8_t* from, uint8_t* to) {
  const int64_t width = convolution.shape().columns.input;
  const uint8_t flip = convolution.flip();
  if (flip == 0) {
    std::memcpy(to, from, width);
  } else {
    for (int64_t x = 0; x < width; ++x) to[x] = from[x] ^ flip;
  }
}

// ---- From sums to results: IntegerEpilogue ----

// Of the channels of a group. Where results are integers, the output's scale is
// a part of all factors from the start.
struct Factors {
  alignas(64) float scale[kMost], shift[kMost];
  alignas(64) float slope[kMost], last_shift[kMost];
  alignas(64) float step[kMost], offset[kMost];  // of a grid
  alignas(64) float low[kMost], high[kMost];
};

Factors FactorsOf(const IntegerEpilogue& e, int64_t first, int64_t count) {
  Factors f = {};
  const bool bytes = e.output_type != ElementType::kF32;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t c = first + i;
    const float scale = bytes ? e.output_scale[c] : 1;
    const float shift = bytes ? e.output_shift[c] : 0;
    const float by = e.has_grid ? e.grid.scale : scale;
    f.slope[i] = e.slope == nullptr ? 1 : e.slope[c];
    f.last_shift[i] = e.slope == nullptr ? 0 : shift;
    const float before_slope = e.slope == nullptr ? shift : 0;
    f.scale[i] = e.scale[c] * by;
    f.shift[i] = e.bias[c] * by + (e.has_grid ? e.grid.shift : before_slope);
    f.step[i] = e.grid.step * scale;
    f.offset[i] = e.grid.offset * scale + before_slope;
    f.low[i] = e.low * scale + shift;
    f.high[i] = e.high * scale + shift;
    if (bytes) {
      f.low[i] = std::max(f.low[i], e.output_low);
      f.high[i] = std::min(f.high[i], e.output_high);
    }
  }
  return f;
}

// What is known of an epilogue when code is generated.
enum class Store { kF32, kU8, kI8 };

struct Finish {
  Finish(const IntegerEpilogue& e, const Factors& factors)
      : f(factors),
        has_grid(e.has_grid),
        has_slope(e.slope != nullptr),
        grid_low(e.grid.low),
        grid_high(e.grid.high) {}

  __m512 Compute(__m512i sums, int64_t v) const {
    const int64_t at = v * kLanes;
    const auto load = [at](const float* from) {
      return _mm512_load_ps(from + at);
    };
    __m512 x = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), load(f.scale),
                               load(f.shift));
    if (has_grid) {
      x = _mm512_min_ps(_mm512_max_ps(x, _mm512_set1_ps(grid_low)),
                        _mm512_set1_ps(grid_high));
      x = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT |
                                      _MM_FROUND_NO_EXC);
      x = _mm512_fmadd_ps(x, load(f.step), load(f.offset));
    }
    if (has_slope) {
      const __m512 zero = _mm512_setzero_ps();
      x = _mm512_fmadd_ps(_mm512_min_ps(x, zero), load(f.slope),
                          _mm512_max_ps(x, zero));
      x = _mm512_add_ps(x, load(f.last_shift));
    }
    return _mm512_min_ps(_mm512_max_ps(x, load(f.low)), load(f.high));
  }

  const Factors& f;
  const bool has_grid, has_slope;
  const float grid_low, grid_high;
};

// Stores with a mask are slow where all is to be stored.
void StoreBytes(__m128i bytes, char* to, __mmask16 mask, bool all) {
  if (all) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  } else {
    _mm_mask_storeu_epi8(to, mask, bytes);
  }
}

template <Store kStore>
void StoreVector(__m512 x, char* to, __mmask16 mask, bool all) {
  if constexpr (kStore == Store::kU8) {
    StoreBytes(_mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(x)), to, mask, all);
  } else if constexpr (kStore == Store::kI8) {
    StoreBytes(_mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(x)), to, mask, all);
  } else if (all) {
    _mm512_storeu_ps(to, x);
  } else {
    _mm512_mask_storeu_ps(to, mask, x);
  }
}

// ---- Sums ----

// The results of some pixels of a row, kVectors vectors of channels each.
struct Tile {
  const uint8_t* input;  // of the first window
  int64_t input_step;    // from a window to the next
  const int32_t* first_sums;
  const int8_t* weights;
  char* output;
  int64_t output_step;
  __mmask16 last;  // channels of the last vector
  bool is_whole;   // the last vector is
};

struct Taps {
  int64_t rows, row_step;  // of taps
  int64_t products, step;  // of a row
};

template <int kVectors, int kPixels, Store kStore>
__attribute__((noinline)) void RunTile(const Tile& from_tile,
                                       const Taps& taps,
                                       const Finish& by) {
  const Tile tile = from_tile;  // which no store can change
  const Finish finish = by;
  __m512i sums[kPixels][kVectors];
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[p][v] = _mm512_loadu_si512(tile.first_sums + v * kLanes);
    }
  }
  const int8_t* weights = tile.weights;
  const uint8_t* row = tile.input;
  for (int64_t r = 0; r < taps.rows; ++r, row += taps.row_step) {
    const uint8_t* from = row;
    for (int64_t i = 0; i < taps.products; ++i, from += taps.step) {
      __m512i factors[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        factors[v] = _mm512_loadu_si512(weights + v * kLanes * 4);
      }
      weights += kVectors * kLanes * 4;
#pragma GCC unroll 8
      for (int p = 0; p < kPixels; ++p) {
        int32_t four;
        std::memcpy(&four, from + p * tile.input_step, sizeof(four));
        const __m512i data = _mm512_set1_epi32(four);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          sums[p][v] = _mm512_dpbusd_epi32(sums[p][v], data, factors[v]);
        }
      }
    }
  }
  constexpr int64_t kSize = kStore == Store::kF32 ? 4 : 1;
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      StoreVector<kStore>(
          finish.Compute(sums[p][v], v),
          tile.output + p * tile.output_step + v * kLanes * kSize,
          tile.last, v + 1 < kVectors || tile.is_whole);
    }
  }
}

using TileFunction = void (*)(const Tile&, const Taps&, const Finish&);

// As many as keep both units for dot products busy, and leave registers for the
// addresses of so many pixels.
template <int kVectors>
constexpr int kTilePixels = kVectors == 4 ? 5 : kVectors == 3 ? 6 : 8;

template <int kVectors, Store kStore>
TileFunction FunctionFor(bool many) {
  return many ? &RunTile<kVectors, kTilePixels<kVectors>, kStore>
              : &RunTile<kVectors, 1, kStore>;
}

template <int kVectors>
TileFunction FunctionFor(ElementType type, bool many) {
  switch (type) {
    case ElementType::kU8:
      return FunctionFor<kVectors, Store::kU8>(many);
    case ElementType::kI8:
      return FunctionFor<kVectors, Store::kI8>(many);
    default:
      return FunctionFor<kVectors, Store::kF32>(many);
  }
}

TileFunction FunctionFor(int64_t vectors, ElementType type, bool many) {
  switch (vectors) {
    case 1:
      return FunctionFor<1>(type, many);
    case 2:
      return FunctionFor<2>(type, many);
    case 3:
      return FunctionFor<3>(type, many);
    default:
      return FunctionFor<4>(type, many);
  }
}

int64_t PixelsFor(int64_t vectors) {
  return vectors == 4   ? kTilePixels<4>
         : vectors == 3 ? kTilePixels<3>
                        : kTilePixels<1>;
}

// One row of results, of one group. The last tile may compute pixels again.
void RunRow(int64_t count, int64_t together, TileFunction many,
            TileFunction one, Tile tile, const Taps& taps,
            const Finish& finish) {
  const Tile first = tile;
  const auto run = [&](TileFunction function, int64_t x) {
    tile.input = first.input + x * first.input_step;
    tile.output = first.output + x * first.output_step;
    function(tile, taps, finish);
  };
  if (count < together) {
    for (int64_t x = 0; x < count; ++x) run(one, x);
    return;
  }
  for (int64_t x = 0; x < count; x += together) {
    run(many, std::min(x, count - together));
  }
}

void RunGroup(const Method& convolution,
              const IntegerConvolutionOperands& operands,
              const Method::Band& band, const uint8_t* copy, int64_t group) {
  const IntegerConvolutionShape& shape = convolution.shape();
  const int64_t first = group * kMost;
  const int64_t channels = std::min(kMost, shape.outputs - first);
  const int64_t vectors = (channels + kLanes - 1) / kLanes;
  const ElementType type = operands.epilogue.output_type;
  const int64_t size = type == ElementType::kF32 ? 4 : 1;
  const Factors factors = FactorsOf(operands.epilogue, first, channels);
  const Finish finish(operands.epilogue, factors);
  const int64_t step = convolution.row_step(), pixel = convolution.pixel();
  const Taps taps = {shape.rows.kernel, shape.rows.dilation * step,
                     convolution.row_products(),
                     pixel == 1 ? 4 : shape.columns.dilation * pixel};
  Tile tile;
  tile.input_step = shape.columns.stride * pixel;
  tile.first_sums = convolution.FirstSums(operands.weights, group);
  tile.weights = convolution.Weights(operands.weights, group);
  tile.output_step = shape.outputs * size;
  tile.last = FirstOf(channels - (vectors - 1) * kLanes);
  tile.is_whole = channels == vectors * kLanes;
  const TileFunction many = FunctionFor(vectors, type, true);
  const TileFunction one = FunctionFor(vectors, type, false);
  const int64_t width = shape.columns.output;
  for (int64_t y = 0; y < band.rows; ++y) {
    const int64_t row = band.n * shape.rows.output + band.first + y;
    tile.input = copy + y * shape.rows.stride * step;
    tile.output = static_cast<char*>(operands.output) +
                  (row * width * shape.outputs + first) * size;
    RunRow(width, PixelsFor(vectors), many, one, tile, taps, finish);
  }
}

}  // namespace

bool HasFewChannelsBand() {
  static const bool has =
      Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx512Vnni) &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vnni");
  return has;
}

void CopyFewChannelsRow(const FewChannelsIntegerMethod& convolution,
                        const uint8_t* from, uint8_t* to) {
  const WindowAxis& columns = convolution.shape().columns;
  const int64_t pixel = convolution.pixel();
  const int64_t begin = columns.pad * pixel;
  const int64_t end = begin + columns.input * pixel;
  std::memset(to, convolution.zero(), begin);
  if (pixel == 1) {
    CopyBytes(convolution, from, to + begin);
  } else {
    CopyPixels(convolution, from, to + begin);
  }
  std::memset(to + end, convolution.zero(), convolution.row_step() - end);
}

void RunFewChannelsBand(const FewChannelsIntegerMethod& convolution,
                        const IntegerConvolutionOperands& operands,
                        const FewChannelsIntegerMethod::Band& band,
                        const uint8_t* copy) {
  const int64_t most = Method::kMostVectors;
  for (int64_t g = 0; g * most < convolution.vectors(); ++g) {
    RunGroup(convolution, operands, band, copy, g);
  }
}

}  // namespace dovetail::cpu

#pragma GCC pop_options

#else

namespace dovetail::cpu {

bool HasFewChannelsBand() { return false; }
void CopyFewChannelsRow(const FewChannelsIntegerMethod&, const uint8_t*,
                        uint8_t*) {}
void RunFewChannelsBand(const FewChannelsIntegerMethod&,
                        const IntegerConvolutionOperands&,
                        const FewChannelsIntegerMethod::Band&,
                        const uint8_t*) {}

}  // namespace dovetail::cpu

#endif
