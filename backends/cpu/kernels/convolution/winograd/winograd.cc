#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/convolution/channel_strides.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_parts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/winograd/winograd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// After Highway.
#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/cpu/kernels/common/bf16-inl.h"
#include "dovetail/backends/cpu/kernels/convolution/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using winograd::kMaxTogether;
using winograd::LocateTiles;
using winograd::OutputBlocks;
using winograd::PointStep;
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(float);
using D = hn::FixedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D kD;

// Whether tiles have 4 points along an axis, and not 6.
bool IsOfFour(const WinogradShape& s) {
  return std::max(s.rows.points(), s.columns.points()) == 4;
}

// ---- Vectors as tensors store them ----

HWY_INLINE V Load(const float* from) { return hn::LoadU(kD, from); }
HWY_INLINE V LoadSome(const float* from, int64_t count) {
  return hn::MaskedLoad(hn::FirstN(kD, static_cast<size_t>(count)), kD, from);
}
HWY_INLINE void Store(V x, float* to) { hn::StoreU(x, kD, to); }
HWY_INLINE void StoreSome(V x, float* to, int64_t count) {
  hn::BlendedStore(x, hn::FirstN(kD, static_cast<size_t>(count)), kD, to);
}

HWY_INLINE V Load(const uint16_t* from) { return AsBf16::Load(from); }
HWY_INLINE V LoadSome(const uint16_t* from, int64_t count) {
  uint16_t lanes[kLanes] = {};
  std::memcpy(lanes, from, static_cast<size_t>(count) * sizeof(uint16_t));
  return AsBf16::Load(lanes);
}
HWY_INLINE void Store(V x, uint16_t* to) { AsBf16::Store(x, to); }
HWY_INLINE void StoreSome(V x, uint16_t* to, int64_t count) {
  uint16_t lanes[kLanes];
  AsBf16::Store(x, lanes);
  std::memcpy(to, lanes, static_cast<size_t>(count) * sizeof(uint16_t));
}

// The tensors of a part, by the types that they are stored in.
const float* InputOf(const ConvolutionOperands& o, float) { return o.input; }
const uint16_t* InputOf(const ConvolutionOperands& o, uint16_t) {
  return o.narrow_input;
}
const float* ResidualOf(const ConvolutionOperands& o, float) {
  return o.epilogue.residual;
}
const uint16_t* ResidualOf(const ConvolutionOperands& o, uint16_t) {
  return o.narrow_residual;
}
float* OutputOf(const ConvolutionOperands& o, float) { return o.output; }
uint16_t* OutputOf(const ConvolutionOperands& o, uint16_t) {
  return o.narrow_output;
}

// ---- From tiles to what is multiplied ----

// out = B^T x, for the points 0, 1, -1, of six also 2, -2, and infinity.
template <int kCount>
HWY_INLINE void TransformIn(const V* x, int64_t step, V* out,
                            int64_t out_step) {
  if constexpr (kCount == 1) {
    out[0] = x[0];
  } else if constexpr (kCount == 4) {
    const V a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    out[0] = hn::Sub(c, a);
    out[out_step] = hn::Add(c, b);
    out[2 * out_step] = hn::Sub(c, b);
    out[3 * out_step] = hn::Sub(d, b);
  } else {
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
}

// What a tile of kRows x kColumns reads, load(row, column), transformed along
// both axes, to v[point], `point_step` apart.
template <int kRows, int kColumns, typename LoadFn>
HWY_INLINE void TransformTile(LoadFn load, float* v, int64_t point_step) {
  V y[kRows * kColumns];
  for (int64_t j = 0; j < kColumns; ++j) {
    V x[kRows];
    for (int64_t i = 0; i < kRows; ++i) x[i] = load(i, j);
    TransformIn<kRows>(x, 1, y + j, kColumns);
  }
  for (int64_t i = 0; i < kRows; ++i) {
    V row[kColumns];
    TransformIn<kColumns>(y + i * kColumns, 1, row, 1);
    for (int64_t j = 0; j < kColumns; ++j) {
      hn::StoreU(row[j], kD, v + (i * kColumns + j) * point_step);
    }
  }
}

// The same of a tile of a plane whose pixels are `pixel` apart, with zeros
// around that. load(p) is the vector at p.
template <int kRows, int kColumns, typename T, typename LoadFn>
HWY_INLINE void LoadTile(const WinogradShape& s, const WinogradTile& tile,
                         const T* plane, int64_t pixel, LoadFn load, float* v,
                         int64_t point_step) {
  const int64_t dy = s.rows.dilation, dx = s.columns.dilation;
  const int64_t height = s.rows.input, width = s.columns.input;
  if (tile.reads_inside) {
    const T* const first = plane + (tile.top * width + tile.left) * pixel;
    const int64_t row_step = dy * width * pixel, step = dx * pixel;
    TransformTile<kRows, kColumns>(
        [&](int64_t i, int64_t j)
            HWY_ATTR { return load(first + i * row_step + j * step); },
        v, point_step);
    return;
  }
  TransformTile<kRows, kColumns>(
      [&](int64_t i, int64_t j) HWY_ATTR {
        const int64_t r = tile.top + i * dy, c = tile.left + j * dx;
        const bool there = r >= 0 && c >= 0 && r < height && c < width;
        return there ? load(plane + (r * width + c) * pixel) : hn::Zero(kD);
      },
      v, point_step);
}

// Of a tile of a plane that is padding.
void ClearTile(const WinogradShape& s, float* v, int64_t point_step) {
  for (int64_t i = 0; i < s.points(); ++i) {
    hn::StoreU(hn::Zero(kD), kD, v + i * point_step);
  }
}

// To v[point][block][tile][lanes], blocks of one plane of windows after the
// other.
template <int kRows, int kColumns, typename T>
void LoadTiles(const WinogradShape& s, const WinogradPart& part,
               const WinogradTile* tiles, const T* input, float* v) {
  const int64_t size = s.rows.input * s.columns.input;
  const ChannelStrides at(s.is_blocked, s.inputs, kLanes,
                          s.planes.input * size);
  const int64_t point_step = PointStep(s, s.summed_blocks(), part.tiles);
  for (int64_t i = 0; i < s.summed_blocks(); ++i) {
    const int64_t b = i % s.input_blocks();
    const int64_t first = i / s.input_blocks() * s.planes.dilation;
    const int64_t channels = at.ChannelsOf(b);
    for (int64_t t = 0; t < part.tiles; ++t, v += kLanes) {
      const int64_t z = tiles[t].z * s.planes.stride - s.planes.pad + first;
      if (z < 0 || z >= s.planes.input) {
        ClearTile(s, v, point_step);
        continue;
      }
      const T* const plane =
          input + tiles[t].n * at.image + b * at.block + z * size * at.pixel;
      if (channels == kLanes) {
        LoadTile<kRows, kColumns>(
            s, tiles[t], plane, at.pixel,
            [](const T* p) HWY_ATTR { return Load(p); }, v, point_step);
      } else {
        LoadTile<kRows, kColumns>(
            s, tiles[t], plane, at.pixel,
            [channels](const T* p) HWY_ATTR { return LoadSome(p, channels); },
            v, point_step);
      }
    }
  }
}

// Of as many points along both axes, or along one.
template <int kPoints, typename T>
void LoadTilesOf(const WinogradShape& s, const WinogradPart& part,
                 const WinogradTile* tiles, const T* input, float* v) {
  if (s.rows.points() == 1) {
    LoadTiles<1, kPoints>(s, part, tiles, input, v);
  } else if (s.columns.points() == 1) {
    LoadTiles<kPoints, 1>(s, part, tiles, input, v);
  } else {
    LoadTiles<kPoints, kPoints>(s, part, tiles, input, v);
  }
}

// ---- Products ----

// Sums over all inputs of kTiles tiles and kBlocks blocks of outputs.
template <int kTiles, int kBlocks>
HWY_INLINE void Multiply(const float* v, int64_t v_step, const float* u,
                         int64_t inputs, float* m, int64_t m_step) {
  V sums[kTiles][kBlocks];
  for (int t = 0; t < kTiles; ++t) {
    for (int b = 0; b < kBlocks; ++b) sums[t][b] = hn::Zero(kD);
  }
  for (; inputs > 0; inputs -= kLanes, v += v_step) {
    const int64_t lanes = std::min(inputs, kLanes);
    for (int64_t lane = 0; lane < lanes; ++lane, u += kBlocks * kLanes) {
      V weights[kBlocks];
      for (int b = 0; b < kBlocks; ++b) {
        weights[b] = hn::Load(kD, u + b * kLanes);
      }
      for (int t = 0; t < kTiles; ++t) {
        const V x = hn::Set(kD, v[t * kLanes + lane]);
        for (int b = 0; b < kBlocks; ++b) {
          sums[t][b] = hn::MulAdd(x, weights[b], sums[t][b]);
        }
      }
    }
  }
  for (int t = 0; t < kTiles; ++t) {
    for (int b = 0; b < kBlocks; ++b) {
      hn::StoreU(sums[t][b], kD, m + b * m_step + t * kLanes);
    }
  }
}

// Multiply for a number of tiles that is known at run time, 1 to kMax.
template <int kMax, int kBlocks>
HWY_INLINE void MultiplyUpTo(int64_t tiles, const float* v, int64_t v_step,
                             const float* u, int64_t inputs, float* m,
                             int64_t m_step) {
  if constexpr (kMax > 1) {
    if (tiles < kMax) {
      MultiplyUpTo<kMax - 1, kBlocks>(tiles, v, v_step, u, inputs, m, m_step);
      return;
    }
  }
  Multiply<kMax, kBlocks>(v, v_step, u, inputs, m, m_step);
}

// All tiles of a point: as many at a time as there are registers for sums, and
// about equally many each time, as few leave the processor waiting for sums.
template <int kBlocks>
void MultiplyTiles(const float* v, int64_t v_step, const float* u,
                   int64_t inputs, float* m, int64_t m_step, int64_t count) {
  constexpr int kMax = kLanes == 16 ? (kBlocks == 3   ? 9
                                       : kBlocks == 2 ? 14
                                                      : 16)
                                    : (kBlocks == 3   ? 4
                                       : kBlocks == 2 ? 6
                                                      : 8);
  for (int64_t times = (count + kMax - 1) / kMax; times > 0; --times) {
    const int64_t now = (count + times - 1) / times;
    MultiplyUpTo<kMax, kBlocks>(now, v, v_step, u, inputs, m, m_step);
    count -= now;
    v += now * kLanes;
    m += now * kLanes;
  }
}

// From v[point][block][tile][lanes] to m[point][block of the
// part][tile][lanes].
void MultiplyPoints(const WinogradShape& s, const WinogradPart& part,
                    const float* v, const float* weights, float* m) {
  const OutputBlocks blocks(s, part);
  const int64_t step = part.tiles * kLanes;
  const int64_t v_step = PointStep(s, s.summed_blocks(), part.tiles);
  const int64_t m_step = PointStep(s, blocks.count, part.tiles);
  const int64_t u_step = s.summed() * s.output_blocks() * kLanes;
  for (int64_t point = 0; point < s.points(); ++point) {
    for (int64_t i = 0; i < part.groups; ++i) {
      const OutputGroup group(s.output_blocks(), part.first_group + i);
      const auto multiply = group.blocks == 3   ? &MultiplyTiles<3>
                            : group.blocks == 2 ? &MultiplyTiles<2>
                                                : &MultiplyTiles<1>;
      multiply(
          v + point * v_step, step,
          weights + point * u_step + group.first_block * kLanes * s.summed(),
          s.summed(),
          m + point * m_step + (group.first_block - blocks.first) * step, step,
          part.tiles);
    }
  }
}

// ---- From sums to results ----

// out = A^T x: kExtent results of as many sums as there are points.
template <int kPoints, int kExtent>
HWY_INLINE void TransformOut(const V* x, int64_t step, V* out,
                             int64_t out_step) {
  if constexpr (kExtent == 1) {
    out[0] = x[0];
  } else {
    const V sum = hn::Add(x[step], x[2 * step]);
    const V difference = hn::Sub(x[step], x[2 * step]);
    out[0] = hn::Add(x[0], sum);
    for (int i = 1; i < kExtent; ++i) {
      out[i * out_step] = i % 2 == 0 ? sum : difference;
    }
    if constexpr (kPoints == 6) {
      const V sum2 = hn::Add(x[3 * step], x[4 * step]);
      const V difference2 = hn::Sub(x[3 * step], x[4 * step]);
      for (int i = 0; i < kExtent; ++i) {
        V& all = out[i * out_step];
        all = hn::MulAdd(hn::Set(kD, static_cast<float>(1 << i)),
                         i % 2 == 0 ? sum2 : difference2, all);
      }
    }
    V& last = out[(kExtent - 1) * out_step];
    last = hn::Add(last, x[(kPoints - 1) * step]);
  }
}

// The results of one tile, of sums that are `point_step` apart: calls
// store(i, row) for each row of them.
template <int kPoints, int kRows, int kColumns, typename StoreFn>
HWY_INLINE void SumTile(const float* m, int64_t point_step, StoreFn store) {
  constexpr int kRowPoints = kRows == 1 ? 1 : kPoints;
  constexpr int kColumnPoints = kColumns == 1 ? 1 : kPoints;
  V y[kRows * kColumnPoints];
  for (int64_t j = 0; j < kColumnPoints; ++j) {
    V x[kRowPoints];
    for (int64_t i = 0; i < kRowPoints; ++i) {
      x[i] = hn::LoadU(kD, m + (i * kColumnPoints + j) * point_step);
    }
    TransformOut<kRowPoints, kRows>(x, 1, y + j, kColumnPoints);
  }
  for (int64_t i = 0; i < kRows; ++i) {
    V row[kColumns];
    TransformOut<kColumnPoints, kColumns>(y + i * kColumnPoints, 1, row, 1);
    store(i, row);
  }
}

// Not inlined: rows of tiles are stored at many places.
HWY_NOINLINE V Activate(const ConvolutionEpilogue& epilogue, V x) {
  using Activation = ConvolutionEpilogue::Activation;
  const V beta = hn::Set(kD, epilogue.beta);
  if (epilogue.activation == Activation::kSwish) {
    return hn::Mul(x, host::HWY_NAMESPACE::Sigmoid(kD, hn::Mul(x, beta)));
  }
  if (epilogue.activation == Activation::kSlope) {
    const auto is_negative = hn::Lt(x, hn::Zero(kD));
    // 0 of minus infinity by 0, as of Relu.
    return epilogue.beta == 0
               ? hn::IfThenZeroElse(is_negative, x)
               : hn::IfThenElse(is_negative, hn::Mul(x, beta), x);
  }
  return hn::Mul(x, host::HWY_NAMESPACE::HardSigmoid6(kD, x));
}

// One vector of results at `at` of the output, the first `channels` of it.
template <typename T>
HWY_INLINE void StoreResult(const FinisherOf<D>& finisher,
                            const ConvolutionEpilogue& epilogue, V sum,
                            int64_t at, int64_t channels, const T* residual,
                            T* output) {
  V biased = finisher.AddBias(sum), added = hn::Zero(kD);
  if (epilogue.activation != ConvolutionEpilogue::Activation::kNone) {
    biased = Activate(epilogue, biased);
  }
  if (channels == kLanes) {
    if (residual != nullptr) added = Load(residual + at);
    Store(finisher.FinishBiased(biased, added), output + at);
  } else {
    if (residual != nullptr) added = LoadSome(residual + at, channels);
    StoreSome(finisher.FinishBiased(biased, added), output + at, channels);
  }
}

// From m[point][block of the part][tile][lanes].
template <int kPoints, int kRows, int kColumns, typename T>
void StoreTiles(const WinogradShape& s, const WinogradPart& part,
                const WinogradTile* tiles, const float* m,
                const ConvolutionOperands& operands) {
  const T* const residual = ResidualOf(operands, T());
  T* const output = OutputOf(operands, T());
  const OutputBlocks blocks(s, part);
  const int64_t width = s.columns.output;
  const int64_t size = s.rows.output * width;
  const ChannelStrides to(s.is_blocked, s.outputs, kLanes,
                          s.planes.output * size);
  const int64_t point_step = PointStep(s, blocks.count, part.tiles);
  const int64_t step = s.columns.dilation * to.pixel;
  const int64_t row_step = s.rows.dilation * width * to.pixel;
  for (int64_t b = blocks.first; b < blocks.first + blocks.count; ++b) {
    const auto finisher = FinisherOf<D>::OfBlock(operands.epilogue, b * kLanes);
    const int64_t channels = to.ChannelsOf(b);
    for (int64_t t = 0; t < part.tiles; ++t, m += kLanes) {
      const WinogradTile& tile = tiles[t];
      const int64_t first =
          tile.n * to.image + b * to.block +
          (tile.z * size + tile.y * width + tile.x) * to.pixel;
      const auto store = [&](int64_t i, const V* row, int64_t count) HWY_ATTR {
        for (int64_t j = 0; j < count; ++j) {
          StoreResult(finisher, operands.epilogue, row[j],
                      first + i * row_step + j * step, channels, residual,
                      output);
        }
      };
      if (tile.rows == kRows && tile.columns == kColumns) {
        SumTile<kPoints, kRows, kColumns>(
            m, point_step,
            [&](int64_t i, const V* row) HWY_ATTR { store(i, row, kColumns); });
      } else {
        SumTile<kPoints, kRows, kColumns>(
            m, point_step, [&](int64_t i, const V* row) HWY_ATTR {
              if (i < tile.rows) store(i, row, tile.columns);
            });
      }
    }
  }
}

using StoreTilesFn = void (*)(const WinogradShape&, const WinogradPart&,
                              const WinogradTile*, const float*,
                              const ConvolutionOperands&);

// For tiles of kExtent along both axes, or along one.
template <typename T, int kPoints, int kExtent>
StoreTilesFn StoreTilesOf(const WinogradShape& s) {
  if (s.rows.points() == 1) return &StoreTiles<kPoints, 1, kExtent, T>;
  if (s.columns.points() == 1) return &StoreTiles<kPoints, kExtent, 1, T>;
  return &StoreTiles<kPoints, kExtent, kExtent, T>;
}

template <typename T>
StoreTilesFn StoreTilesFor(const WinogradShape& s) {
  const int64_t extent = std::max(s.rows.extent(), s.columns.extent());
  if (IsOfFour(s)) {
    return extent == 2 ? StoreTilesOf<T, 4, 2>(s) : StoreTilesOf<T, 4, 3>(s);
  }
  switch (extent) {
    case 2:
      return StoreTilesOf<T, 6, 2>(s);
    case 3:
      return StoreTilesOf<T, 6, 3>(s);
    case 4:
      return StoreTilesOf<T, 6, 4>(s);
    default:
      return StoreTilesOf<T, 6, 5>(s);
  }
}

template <typename T>
void LoadAll(const WinogradShape& s, const WinogradPart& part,
             const WinogradTile* tiles, const ConvolutionOperands& operands,
             float* v) {
  const auto load = IsOfFour(s) ? &LoadTilesOf<4, T> : &LoadTilesOf<6, T>;
  load(s, part, tiles, InputOf(operands, T()), v);
}

// Processors that multiply bf16 have the longer vectors.
using Narrow = std::conditional_t<kLanes == 16, uint16_t, float>;

void Convolve(const WinogradShape& s, const WinogradPart& part,
              const ConvolutionOperands& operands, float* scratch) {
  WinogradTile tiles[kMaxTogether];
  LocateTiles(s, part, tiles);
  float* const m =
      scratch + s.points() * PointStep(s, s.summed_blocks(), part.tiles);
  const auto load =
      operands.narrow_input != nullptr ? &LoadAll<Narrow> : &LoadAll<float>;
  load(s, part, tiles, operands, scratch);
  MultiplyPoints(s, part, scratch, operands.weights, m);
  const StoreTilesFn store = operands.narrow_output != nullptr
                                 ? StoreTilesFor<Narrow>(s)
                                 : StoreTilesFor<float>(s);
  store(s, part, tiles, m, operands);
}

int64_t VectorLanes() { return kLanes; }

#else

int64_t VectorLanes() { return 0; }

void Convolve(const WinogradShape&, const WinogradPart&,
              const ConvolutionOperands&, float*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);
HWY_EXPORT(VectorLanes);

int64_t WinogradLanes() { return HWY_DYNAMIC_DISPATCH(VectorLanes)(); }

void ConvolveWinograd(const WinogradShape& shape, const WinogradPart& part,
                      const ConvolutionOperands& operands, float* scratch) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, part, operands, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
