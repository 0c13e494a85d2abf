#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"

#include "dovetail/backends/common/isa/isa_limit.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/common/bf16_target.h"

#ifndef __clang__
// As in recurrent/narrow_tiles.cc: else GCC 12 copies sums in each turn.
#pragma GCC optimize("no-tree-ch", "no-tree-coalesce-vars")
#endif

#define DOVETAIL_AMX __attribute__((target("amx-tile,amx-bf16"), noinline))

namespace dovetail::cpu {
namespace {

// ---- Dot products of pairs ----

constexpr int kRowsAtATime = 8;
static_assert(kBf16Rows % kRowsAtATime == 0);

DOVETAIL_BF16 __m512bh PairsAt(const uint32_t* words) {
  return reinterpret_cast<__m512bh>(_mm512_loadu_si512(words));
}

DOVETAIL_BF16 __m512bh RepeatedPair(const uint16_t* pair) {
  int32_t word;
  std::memcpy(&word, pair, sizeof(word));
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(word));
}

// kVectors of the panel's columns.
template <int kVectors>
DOVETAIL_BF16 void MultiplyRows(const Bf16Product& product, int64_t depth,
                                int64_t row, int64_t panel) {
  __m512 sums[kRowsAtATime][kVectors];
  float* const c = product.c + row * product.c_stride + panel * kBf16Panel;
#pragma GCC unroll 8
  for (int r = 0; r < kRowsAtATime; ++r) {
    const float* const before = c + r * product.c_stride;
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = product.adds ? _mm512_loadu_ps(before + v * kBf16Lanes)
                                : _mm512_setzero_ps();
    }
  }
  const uint16_t* a = product.a + row * product.a_stride;
  const uint32_t* b = product.b + panel * product.panel_words;
  const int64_t a_stride = product.a_stride;
  for (int64_t i = 0; i < depth; i += 2, a += 2, b += kBf16Panel) {
    __m512bh columns[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      columns[v] = PairsAt(b + v * kBf16Lanes);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowsAtATime; ++r) {
      const __m512bh factor = RepeatedPair(a + r * a_stride);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] = _mm512_dpbf16_ps(sums[r][v], columns[v], factor);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowsAtATime; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      _mm512_storeu_ps(c + r * product.c_stride + v * kBf16Lanes, sums[r][v]);
    }
  }
}

void MultiplyByPairs(const Bf16Product& product) {
  const int64_t depth =
      product.used_depth > 0 ? RoundUp(product.used_depth, 2) : product.depth;
  const int64_t columns = product.used_columns > 0
                              ? product.used_columns
                              : product.panels * kBf16Panel;
  for (int64_t panel = 0; panel * kBf16Panel < columns; ++panel) {
    const auto multiply = columns - panel * kBf16Panel > kBf16Lanes
                              ? &MultiplyRows<2>
                              : &MultiplyRows<1>;
    for (int64_t row = 0; row < product.rows; row += kRowsAtATime) {
      multiply(product, depth, row, panel);
    }
  }
}

// ---- Tiles ----

// All eight tiles have 64 bytes a row. Those of the rows of a and c are as long
// as these are many: the upper ones, and the lower ones if there are any.
struct alignas(64) TileConfig {
  TileConfig(int64_t upper, int64_t lower) {
    for (const int i : {0, 1, 4}) rows[i] = static_cast<uint8_t>(upper);
    for (const int i : {2, 3, 5}) rows[i] = static_cast<uint8_t>(lower);
  }

  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t bytes_a_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

// What is written before has to be in memory, and what is read behind comes
// from there: the compiler sees nothing of what tiles read and write.
inline void Fence() { asm volatile("" ::: "memory"); }

// Two tiles of columns, and one of rows or two, of which the lower one
// multiplies by the same columns. Sums are in tiles 0 to 3.
DOVETAIL_AMX void MultiplyTiles(const Bf16Product& product, int64_t row,
                                int64_t panel, bool has_lower) {
  Fence();
  const int64_t c_stride = product.c_stride * sizeof(float);
  float* const c = product.c + row * product.c_stride + panel * kBf16Panel;
  float* const lower_c = c + kBf16Rows * product.c_stride;
  if (product.adds) {
    _tile_loadd(0, c, c_stride);
    _tile_loadd(1, c + kBf16Lanes, c_stride);
    if (has_lower) {
      _tile_loadd(2, lower_c, c_stride);
      _tile_loadd(3, lower_c + kBf16Lanes, c_stride);
    }
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  constexpr int64_t kBStride = kBf16Panel * sizeof(uint32_t);
  const int64_t a_stride = product.a_stride * sizeof(uint16_t);
  const uint16_t* a = product.a + row * product.a_stride;
  const uint16_t* lower = a + kBf16Rows * product.a_stride;
  const uint32_t* b = product.b + panel * product.panel_words;
  constexpr int64_t kBStep = kBf16Depth / 2 * kBf16Panel;
  for (int64_t i = 0; i < product.depth; i += kBf16Depth, b += kBStep) {
    _tile_loadd(4, a + i, a_stride);
    _tile_loadd(6, b, kBStride);
    _tile_loadd(7, b + kBf16Lanes, kBStride);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    if (!has_lower) continue;
    _tile_loadd(5, lower + i, a_stride);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, c, c_stride);
  _tile_stored(1, c + kBf16Lanes, c_stride);
  if (has_lower) {
    _tile_stored(2, lower_c, c_stride);
    _tile_stored(3, lower_c + kBf16Lanes, c_stride);
  }
  Fence();
}

// Rows [begin, end), all blocks of which the configuration fits.
DOVETAIL_AMX void MultiplyBlocks(const Bf16Product& product, int64_t begin,
                                 int64_t end, const TileConfig& config) {
  _tile_loadconfig(&config);
  for (int64_t panel = 0; panel < product.panels; ++panel) {
    for (int64_t row = begin; row < end; row += 2 * kBf16Rows) {
      MultiplyTiles(product, row, panel, row + kBf16Rows < end);
    }
  }
}

// Not by __builtin_cpu_supports, which knows them with GCC alone.
bool ProcessorHasTiles() {
  constexpr unsigned kBf16OfTiles = 1u << 22, kTiles = 1u << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (d & kBf16OfTiles) != 0 && (d & kTiles) != 0;
}

// The system gives a process the state of tiles when it asks for it.
bool GetTiles() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx512Amx) &&
         ProcessorHasTiles() &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

bool HasBf16Tiles() {
  static const bool has = GetTiles();
  return has;
}

// Other code of the thread, such as primitives of oneDNN, sets up tiles of its
// own before it uses them.
DOVETAIL_AMX void MultiplyBf16ByTiles(const Bf16Product& product) {
  const int64_t rest = product.rows % (2 * kBf16Rows);
  const int64_t whole = product.rows - rest;
  if (whole > 0) {
    MultiplyBlocks(product, 0, whole, TileConfig(kBf16Rows, kBf16Rows));
  }
  if (rest > 0) {
    const int64_t upper = std::min(rest, kBf16Rows);
    MultiplyBlocks(product, whole, product.rows,
                   TileConfig(upper, std::max<int64_t>(1, rest - upper)));
  }
  _tile_release();
}

void MultiplyBf16(const Bf16Product& product) {
  HasBf16Tiles() ? MultiplyBf16ByTiles(product) : MultiplyByPairs(product);
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

bool HasBf16Tiles() { return false; }
void MultiplyBf16ByTiles(const Bf16Product&) {}
void MultiplyBf16(const Bf16Product&) {}

}  // namespace dovetail::cpu

#endif
