#include "dovetail/backends/cpu/kernels/convolution/winograd.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/convolution/winograd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#ifndef DOVETAIL_WINOGRAD_ONCE
#define DOVETAIL_WINOGRAD_ONCE
namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;  // channels
constexpr int64_t kIn = kWinogradIn, kOut = kWinogradOut;
constexpr int64_t kSpots = kWinogradSpots;
constexpr int64_t kMinTogether = 18, kMaxTogether = 48;
// What transformed tiles may take, in floats: most of the second-level cache.
constexpr int64_t kCacheFloats = 96 << 10;

int64_t BlocksOf(int64_t channels) { return (channels + kBlock - 1) / kBlock; }

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_WINOGRAD_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::FixedTag<float, 8>;
using V = hn::Vec<D>;
constexpr D kD;

// out = B^T x for six vectors.
HWY_INLINE void TransformIn(const V* x, int64_t step, V* out,
                            int64_t out_step) {
  const V four = hn::Set(kD, 4.0f), five = hn::Set(kD, 5.0f);
  const V two = hn::Set(kD, 2.0f);
  const V a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
  const V e = x[4 * step], f = x[5 * step];
  const V even = hn::NegMulAdd(four, c, e), odd = hn::NegMulAdd(four, b, d);
  const V even2 = hn::Sub(e, c), odd2 = hn::Mul(two, hn::Sub(d, b));
  out[0] = hn::MulAdd(four, a, hn::NegMulAdd(five, c, e));
  out[out_step] = hn::Add(even, odd);
  out[2 * out_step] = hn::Sub(even, odd);
  out[3 * out_step] = hn::Add(even2, odd2);
  out[4 * out_step] = hn::Sub(even2, odd2);
  out[5 * out_step] = hn::MulAdd(four, b, hn::NegMulAdd(five, d, f));
}

// out = A^T x: four vectors of six.
HWY_INLINE void TransformOut(const V* x, int64_t step, V* out,
                             int64_t out_step) {
  const V two = hn::Set(kD, 2.0f), four = hn::Set(kD, 4.0f);
  const V eight = hn::Set(kD, 8.0f);
  const V sum = hn::Add(x[step], x[2 * step]);
  const V difference = hn::Sub(x[step], x[2 * step]);
  const V sum2 = hn::Add(x[3 * step], x[4 * step]);
  const V difference2 = hn::Sub(x[3 * step], x[4 * step]);
  out[0] = hn::Add(hn::Add(x[0], sum), sum2);
  out[out_step] = hn::MulAdd(two, difference2, difference);
  out[2 * out_step] = hn::MulAdd(four, sum2, sum);
  out[3 * out_step] =
      hn::MulAdd(eight, difference2, hn::Add(difference, x[5 * step]));
}

// To v[spot][block][tile][8].
void LoadTiles(const WinogradShape& s, int64_t first, int64_t count,
               const float* input, float* v) {
  const int64_t blocks = BlocksOf(s.inputs);
  const int64_t spot_step = blocks * count * kBlock;
  for (int64_t t = 0; t < count; ++t) {
    const WinogradTile tile(s, first + t);
    for (int64_t b = 0; b < blocks; ++b) {
      const float* plane =
          input + (tile.n * blocks + b) * s.height * s.width * kBlock;
      float* to = v + (b * count + t) * kBlock;
      V x[kSpots], y[kSpots];
      if (tile.reads_inside) {
        for (int64_t i = 0; i < kIn; ++i) {
          const float* row =
              plane + ((tile.top + i) * s.width + tile.left) * kBlock;
          for (int64_t j = 0; j < kIn; ++j) {
            x[i * kIn + j] = hn::LoadU(kD, row + j * kBlock);
          }
        }
      } else {
        for (int64_t i = 0; i < kIn; ++i) {
          for (int64_t j = 0; j < kIn; ++j) {
            const int64_t r = tile.top + i, c = tile.left + j;
            const bool there = r >= 0 && c >= 0 && r < s.height && c < s.width;
            x[i * kIn + j] =
                there ? hn::LoadU(kD, plane + (r * s.width + c) * kBlock)
                      : hn::Zero(kD);
          }
        }
      }
      for (int64_t j = 0; j < kIn; ++j) {
        TransformIn(x + j, kIn, y + j, kIn);
      }
      for (int64_t i = 0; i < kIn; ++i) {
        V row[kIn];
        TransformIn(y + i * kIn, 1, row, 1);
        for (int64_t j = 0; j < kIn; ++j) {
          hn::StoreU(row[j], kD, to + (i * kIn + j) * spot_step);
        }
      }
    }
  }
}

// Sums over all inputs of kTiles tiles and kBlocks blocks of outputs.
template <int kTiles, int kBlocks>
HWY_INLINE void Multiply(const float* v, int64_t v_step, const float* u,
                         int64_t blocks, float* m, int64_t m_step) {
  V sums[kTiles][kBlocks];
  for (int t = 0; t < kTiles; ++t) {
    for (int b = 0; b < kBlocks; ++b) sums[t][b] = hn::Zero(kD);
  }
  for (int64_t i = 0; i < blocks; ++i, v += v_step) {
    for (int64_t lane = 0; lane < kBlock; ++lane, u += kBlocks * kBlock) {
      V weights[kBlocks];
      for (int b = 0; b < kBlocks; ++b) {
        weights[b] = hn::Load(kD, u + b * kBlock);
      }
      for (int t = 0; t < kTiles; ++t) {
        const V x = hn::Set(kD, v[t * kBlock + lane]);
        for (int b = 0; b < kBlocks; ++b) {
          sums[t][b] = hn::MulAdd(x, weights[b], sums[t][b]);
        }
      }
    }
  }
  for (int t = 0; t < kTiles; ++t) {
    for (int b = 0; b < kBlocks; ++b) {
      hn::StoreU(sums[t][b], kD, m + b * m_step + t * kBlock);
    }
  }
}

// All tiles of a spot: at most 6 at a time, and about equally many each time,
// as few leave the processor waiting for sums.
template <int kBlocks>
void MultiplyTiles(const float* v, int64_t v_step, const float* u,
                   int64_t blocks, float* m, int64_t m_step, int64_t count) {
  for (int64_t times = (count + 5) / 6; times > 0; --times) {
    const int64_t now = (count + times - 1) / times;
    switch (now) {
      case 6:
        Multiply<6, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
      case 5:
        Multiply<5, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
      case 4:
        Multiply<4, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
      case 3:
        Multiply<3, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
      case 2:
        Multiply<2, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
      default:
        Multiply<1, kBlocks>(v, v_step, u, blocks, m, m_step);
        break;
    }
    count -= now;
    v += now * kBlock;
    m += now * kBlock;
  }
}

// From v[spot][block][tile][8] to m[spot][block][tile][8].
void MultiplySpots(const WinogradShape& s, int64_t count, const float* v,
                   const float* u, float* m) {
  const int64_t in = BlocksOf(s.inputs), out = BlocksOf(s.outputs);
  const int64_t step = count * kBlock;
  for (int64_t spot = 0; spot < kSpots; ++spot) {
    const float* from = v + spot * in * step;
    float* to = m + spot * out * step;
    for (int64_t b = 0; b < out; b += 2, to += 2 * step) {
      if (b + 1 < out) {
        MultiplyTiles<2>(from, step, u, in, to, step, count);
        u += in * kBlock * 2 * kBlock;
      } else {
        MultiplyTiles<1>(from, step, u, in, to, step, count);
        u += in * kBlock * kBlock;
      }
    }
  }
}

void StoreTiles(const WinogradShape& s, int64_t first, int64_t count,
                const float* m, const WinogradEpilogue& epilogue,
                float* output) {
  const int64_t blocks = BlocksOf(s.outputs);
  const int64_t spot_step = blocks * count * kBlock;
  const V low = hn::Set(kD, epilogue.low), high = hn::Set(kD, epilogue.high);
  for (int64_t t = 0; t < count; ++t) {
    const WinogradTile tile(s, first + t);
    const int64_t rows = std::min(kOut, s.out_height - tile.y);
    const int64_t columns = std::min(kOut, s.out_width - tile.x);
    for (int64_t b = 0; b < blocks; ++b) {
      const float* from = m + (b * count + t) * kBlock;
      V x[kSpots], y[kOut * kIn];
      for (int64_t i = 0; i < kSpots; ++i) {
        x[i] = hn::LoadU(kD, from + i * spot_step);
      }
      for (int64_t j = 0; j < kIn; ++j) {
        TransformOut(x + j, kIn, y + j, kIn);
      }
      const V bias = epilogue.bias == nullptr
                         ? hn::Zero(kD)
                         : hn::LoadU(kD, epilogue.bias + b * kBlock);
      const int64_t offset =
          (((tile.n * blocks + b) * s.out_height + tile.y) * s.out_width +
           tile.x) *
          kBlock;
      for (int64_t i = 0; i < rows; ++i) {
        V row[kOut];
        TransformOut(y + i * kIn, 1, row, 1);
        const int64_t at = offset + i * s.out_width * kBlock;
        for (int64_t j = 0; j < columns; ++j) {
          V sum = hn::Add(row[j], bias);
          if (epilogue.residual != nullptr) {
            sum = hn::Add(sum,
                          hn::LoadU(kD, epilogue.residual + at + j * kBlock));
          }
          sum = hn::Min(hn::Max(sum, low), high);
          hn::StoreU(sum, kD, output + at + j * kBlock);
        }
      }
    }
  }
}

void Convolve(const WinogradShape& s, int64_t first, int64_t count,
              const float* input, const float* weights,
              const WinogradEpilogue& epilogue, float* scratch, float* output) {
  float* m = scratch + kSpots * BlocksOf(s.inputs) * kBlock * count;
  LoadTiles(s, first, count, input, scratch);
  MultiplySpots(s, count, scratch, weights, m);
  StoreTiles(s, first, count, m, epilogue, output);
}

bool IsThere() { return true; }

#else

void Convolve(const WinogradShape&, int64_t, int64_t, const float*,
              const float*, const WinogradEpilogue&, float*, float*) {}
bool IsThere() { return false; }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);
HWY_EXPORT(IsThere);

bool HasWinograd() { return HWY_DYNAMIC_DISPATCH(IsThere)(); }

int64_t WinogradWeightsSize(const WinogradShape& shape) {
  return kSpots * BlocksOf(shape.inputs) * BlocksOf(shape.outputs) * kBlock *
         kBlock;
}

namespace {

// Of up to 16 outputs for one input, which lie side by side; `w` is that of the
// first output, `step` the way to the next one's.
void TransformSixteen(const float* w, int64_t step, int64_t count,
                      int64_t lanes, float* to, int64_t spot_step) {
  static constexpr float kG[6][3] = {
      {1.0f / 4, 0, 0},
      {-1.0f / 6, -1.0f / 6, -1.0f / 6},
      {-1.0f / 6, 1.0f / 6, -1.0f / 6},
      {1.0f / 24, 1.0f / 12, 1.0f / 6},
      {1.0f / 24, -1.0f / 12, 1.0f / 6},
      {0, 0, 1},
  };
  constexpr int kLanes = 2 * kBlock;
  float taps[9][kLanes] = {};
  for (int64_t o = 0; o < count; ++o) {
    for (int k = 0; k < 9; ++k) taps[k][o] = w[o * step + k];
  }
  for (int r = 0; r < 6; ++r) {
    float half[3][kLanes];
    for (int c = 0; c < 3; ++c) {
      for (int l = 0; l < kLanes; ++l) {
        half[c][l] = kG[r][0] * taps[c][l] + kG[r][1] * taps[3 + c][l] +
                     kG[r][2] * taps[6 + c][l];
      }
    }
    for (int c = 0; c < 6; ++c) {
      float all[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        all[l] = kG[c][0] * half[0][l] + kG[c][1] * half[1][l] +
                 kG[c][2] * half[2][l];
      }
      std::copy(all, all + lanes, to + (r * 6 + c) * spot_step);
    }
  }
}

}  // namespace

// To [spot][pair of blocks of outputs][input][16]; a last single block has 8.
void TransformWinogradWeights(const WinogradShape& shape, const float* weights,
                              float* transformed) {
  const int64_t inputs = BlocksOf(shape.inputs) * kBlock;
  const int64_t blocks = BlocksOf(shape.outputs);
  const int64_t spot_step = inputs * blocks * kBlock;
  if (inputs != shape.inputs) {
    std::fill(transformed, transformed + WinogradWeightsSize(shape), 0.0f);
  }
  for (int64_t o = 0; o < shape.outputs; o += 2 * kBlock) {
    const int64_t lanes = o / kBlock + 1 < blocks ? 2 * kBlock : kBlock;
    const int64_t count = std::min(lanes, shape.outputs - o);
    for (int64_t i = 0; i < shape.inputs; ++i) {
      TransformSixteen(weights + (o * shape.inputs + i) * 9, shape.inputs * 9,
                       count, lanes, transformed + o * inputs + i * lanes,
                       spot_step);
    }
  }
}

int64_t WinogradTilesAtATime(const WinogradShape& shape) {
  const int64_t floats =
      kSpots * kBlock * (BlocksOf(shape.inputs) + BlocksOf(shape.outputs));
  const int64_t fit = kCacheFloats / floats / 6 * 6;
  return std::clamp<int64_t>(fit, kMinTogether, kMaxTogether);
}

int64_t WinogradScratchSize(const WinogradShape& shape) {
  return WinogradTilesAtATime(shape) * kSpots * kBlock *
         (BlocksOf(shape.inputs) + BlocksOf(shape.outputs));
}

void ConvolveWinogradTiles(const WinogradShape& shape, int64_t first,
                           int64_t count, const float* input,
                           const float* weights,
                           const WinogradEpilogue& epilogue, float* scratch,
                           float* output) {
  HWY_DYNAMIC_DISPATCH(Convolve)
  (shape, first, count, input, weights, epilogue, scratch, output);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
