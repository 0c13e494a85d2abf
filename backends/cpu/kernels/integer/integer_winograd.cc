#include "dovetail/backends/cpu/kernels/integer/integer_winograd.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "dovetail/backends/cpu/kernels/common/simd_targets.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/integer_winograd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_WINOGRAD_ONCE
#define DOVETAIL_INTEGER_WINOGRAD_ONCE
namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
constexpr int64_t kIn = kWinogradPoints, kOut = 4;
constexpr int64_t kSpots = kIn * kIn;
constexpr int64_t kPanel = 2 * kBlock;
// What transformed tiles and sums of a piece may take: most of the second-level
// cache.
constexpr int64_t kCacheBytes = 256 << 10;
constexpr int64_t kFewTiles = 12, kManyTiles = 48;

// Tiles in pairs, which are transformed together.
int64_t EvenTiles(int64_t tiles) { return (tiles + 1) / 2 * 2; }

// The tiles and outputs of a piece.
struct Piece {
  Piece(const IntegerWinogradPlan& plan, int64_t number) {
    first_panel = number % plan.panel_groups * plan.group_panels;
    panels = std::min(plan.group_panels, plan.panels() - first_panel);
    first = number / plan.panel_groups * plan.piece_tiles;
    tiles = std::min(plan.piece_tiles, plan.tiles - first);
  }
  int64_t first, tiles;
  int64_t first_panel, panels;
};

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_WINOGRAD_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// out = B^T x for six vectors.
HWY_INLINE void TransformIn(const PairVector* x, PairVector* out,
                            int64_t out_step) {
  const PairVector a = x[0], b = x[1], c = x[2], d = x[3];
  const PairVector e = x[4], f = x[5];
  const auto times_four = [](PairVector v)
                              HWY_ATTR { return hn::ShiftLeft<2>(v); };
  const PairVector even = hn::Sub(e, times_four(c));
  const PairVector odd = hn::Sub(d, times_four(b));
  const PairVector even2 = hn::Sub(e, c);
  const PairVector d_b = hn::Sub(d, b);
  const PairVector odd2 = hn::Add(d_b, d_b);
  out[0] = hn::Add(times_four(hn::Sub(a, c)), even2);
  out[out_step] = hn::Add(even, odd);
  out[2 * out_step] = hn::Sub(even, odd);
  out[3 * out_step] = hn::Add(even2, odd2);
  out[4 * out_step] = hn::Sub(even2, odd2);
  out[5 * out_step] = hn::Sub(hn::Sub(f, d), times_four(d_b));
}

// out = 24 A^T F x: four vectors of six, where F divides by the factors of the
// weights' rows (4, -6, -6, 24, 24, 1).
HWY_INLINE void TransformOut(const NumberVector* x, NumberVector* out,
                             int64_t out_step) {
  const NumberVector four = hn::Set(kNumberTag, 4.0f);
  const NumberVector sum = hn::Add(x[1], x[2]);
  const NumberVector difference = hn::Sub(x[1], x[2]);
  const NumberVector sum2 = hn::Add(x[3], x[4]);
  const NumberVector difference2 = hn::Sub(x[3], x[4]);
  const NumberVector twice2 = hn::Add(difference2, difference2);
  const NumberVector rest = hn::NegMulAdd(four, sum, sum2);
  out[0] = hn::MulAdd(hn::Set(kNumberTag, 6.0f), x[0], rest);
  out[out_step] = hn::NegMulAdd(four, difference, twice2);
  out[2 * out_step] = hn::Mul(four, hn::Sub(sum2, sum));
  out[3 * out_step] = hn::MulAdd(hn::Set(kNumberTag, 24.0f), x[5],
                                 hn::Mul(four, hn::Sub(twice2, difference)));
}

// What a tile reads of one block: where its first row begins, and the way to
// the next.
template <class Byte>
struct Patch {
  const Byte* data;
  int64_t row_step;
};

// Where a tile reaches beyond the input, a copy with the zero point there.
template <class Byte>
Patch<Byte> FindPatch(const IntegerWinogradPlan& plan, const WinogradTile& tile,
                      const Byte* plane, Byte* copy) {
  const WinogradShape& s = plan.shape;
  if (tile.reads_inside) {
    return {plane + (tile.top * s.columns.input + tile.left) * kBlock,
            s.columns.input * kBlock};
  }
  std::fill_n(copy, kSpots * kBlock, static_cast<Byte>(plan.zero_point));
  const int64_t begin = std::max<int64_t>(0, -tile.left);
  const int64_t end = std::min(kIn, s.columns.input - tile.left);
  for (int64_t i = 0; i < kIn && begin < end; ++i) {
    const int64_t y = tile.top + i;
    if (y < 0 || y >= s.rows.input) continue;
    std::copy_n(plane + (y * s.columns.input + tile.left + begin) * kBlock,
                (end - begin) * kBlock, copy + (i * kIn + begin) * kBlock);
  }
  return {copy, kIn * kBlock};
}

// Two tiles of one block, to to[spot * spot_step] and behind.
template <class Byte>
HWY_INLINE void TransformTwo(Patch<Byte> left, Patch<Byte> right,
                             int16_t zero_point, int16_t* to,
                             int64_t spot_step) {
  constexpr hn::FixedTag<Byte, 8> half;
  constexpr hn::FixedTag<Byte, 16> bytes;
  const PairVector zeros = hn::Set(kPairTag, zero_point);
  PairVector y[kSpots];
  for (int64_t j = 0; j < kIn; ++j) {
    PairVector column[kIn];
    for (int64_t i = 0; i < kIn; ++i) {
      const auto both = hn::Combine(
          bytes, hn::LoadU(half, right.data + i * right.row_step + j * kBlock),
          hn::LoadU(half, left.data + i * left.row_step + j * kBlock));
      column[i] = hn::Sub(hn::PromoteTo(kPairTag, both), zeros);
    }
    TransformIn(column, y + j, kIn);
  }
  for (int64_t i = 0; i < kIn; ++i) {
    PairVector row[kIn];
    TransformIn(y + i * kIn, row, 1);
    for (int64_t j = 0; j < kIn; ++j) {
      hn::StoreU(row[j], kPairTag, to + (i * kIn + j) * spot_step);
    }
  }
}

// To v[spot][block][tile][8]; of an odd number of tiles the last one twice.
template <class Byte>
void LoadTiles(const IntegerWinogradPlan& plan, const Piece& piece,
               const Byte* input, int16_t* v) {
  const int64_t tiles = EvenTiles(piece.tiles);
  const int64_t plane_size =
      plan.shape.rows.input * plan.shape.columns.input * kBlock;
  HWY_ALIGN Byte copies[2][kSpots * kBlock];
  for (int64_t t = 0; t < tiles; t += 2) {
    const WinogradTile left(plan.shape, piece.first + t);
    const WinogradTile right(plan.shape,
                             piece.first + std::min(t + 1, piece.tiles - 1));
    for (int64_t b = 0; b < plan.input_blocks; ++b) {
      const auto find = [&](const WinogradTile& tile, Byte* copy) {
        const int64_t plane = tile.n * plan.input_blocks + b;
        return FindPatch(plan, tile, input + plane * plane_size, copy);
      };
      TransformTwo(find(left, copies[0]), find(right, copies[1]),
                   static_cast<int16_t>(plan.zero_point),
                   v + (b * tiles + t) * kBlock,
                   plan.input_blocks * tiles * kBlock);
    }
  }
}

// One tile of a block of outputs; sums are `spot_step` apart.
HWY_INLINE void StoreTile(const IntegerWinogradPlan& plan,
                          const WinogradTile& tile, const int32_t* sums,
                          int64_t spot_step, int64_t block,
                          const Finish& finish) {
  NumberVector y[kOut * kIn];
  for (int64_t j = 0; j < kIn; ++j) {
    NumberVector column[kIn];
    for (int64_t i = 0; i < kIn; ++i) {
      column[i] = LoadNumbers(sums + (i * kIn + j) * spot_step);
    }
    TransformOut(column, y + j, kIn);
  }
  const WinogradShape& s = plan.shape;
  const int64_t first =
      ((tile.n * plan.output_blocks + block) * s.rows.output + tile.y) *
          s.columns.output +
      tile.x;
  for (int64_t i = 0; i < tile.rows; ++i) {
    NumberVector row[kOut];
    TransformOut(y + i * kIn, row, 1);
    HWY_ALIGN float numbers[kOut * kBlock];
    for (int64_t j = 0; j < kOut; ++j) {
      hn::Store(row[j], kNumberTag, numbers + j * kBlock);
    }
    finish.Store(numbers, (first + i * s.columns.output) * kBlock,
                 tile.columns);
  }
}

// One panel of outputs; sums: [spot][block][tile][8].
void ComputePanel(const IntegerWinogradPlan& plan, const Piece& piece,
                  int64_t panel, const int32_t* offsets,
                  const IntegerConvolutionOperands& operands, const int16_t* v,
                  int32_t* sums) {
  const int64_t blocks = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
  const int64_t tiles = EvenTiles(piece.tiles);
  const int64_t spot_step = blocks * tiles * kBlock;
  MultiplyArguments t;
  t.pixel_step = kBlock;
  t.offsets = offsets;
  t.runs = plan.input_blocks;
  t.pairs = kBlock / 2;
  t.weights = static_cast<const int16_t*>(operands.weights) +
              panel * plan.panel_elements();
  t.block_step = tiles * kBlock;
  for (int64_t spot = 0; spot < kSpots; ++spot) {
    t.data = v + spot * plan.input_blocks * tiles * kBlock;
    t.sums = sums + spot * spot_step;
    MultiplyRow(t, blocks, piece.tiles);
    t.weights += plan.input_blocks * kBlock * blocks * kBlock;
  }
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t block = 2 * panel + b;
    const int64_t channels = plan.shape.outputs - block * kBlock;
    const Finish finish(operands, block, channels, 1.0f / (24 * 24));
    for (int64_t i = 0; i < piece.tiles; ++i) {
      StoreTile(plan, WinogradTile(plan.shape, piece.first + i),
                sums + b * t.block_step + i * kBlock, spot_step, block, finish);
    }
  }
}

void Run(const IntegerWinogradPlan& plan,
         const IntegerConvolutionOperands& operands, int64_t first,
         int64_t count, void* scratch) {
  int16_t* const v = static_cast<int16_t*>(scratch);
  const int64_t most = EvenTiles(plan.piece_tiles);
  int32_t* const sums = reinterpret_cast<int32_t*>(
      v + kSpots * plan.input_blocks * most * kBlock);
  int32_t* const offsets = sums + kSpots * most * kPanel;
  for (int64_t number = first; number < first + count; ++number) {
    const Piece piece(plan, number);
    if (number == first || piece.first_panel == 0) {
      if (plan.input_type == ElementType::kI8) {
        LoadTiles(plan, piece, static_cast<const int8_t*>(operands.input), v);
      } else {
        LoadTiles(plan, piece, static_cast<const uint8_t*>(operands.input), v);
      }
      for (int64_t b = 0; b < plan.input_blocks; ++b) {
        offsets[b] = static_cast<int32_t>(b * EvenTiles(piece.tiles) * kBlock);
      }
    }
    for (int64_t i = 0; i < piece.panels; ++i) {
      ComputePanel(plan, piece, piece.first_panel + i, offsets, operands, v,
                   sums);
    }
  }
}

#else

void Run(const IntegerWinogradPlan&, const IntegerConvolutionOperands&, int64_t,
         int64_t, void*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

// Rows of the transformation of weights, times their factors.
constexpr int32_t kG[kIn][3] = {{1, 0, 0}, {1, 1, 1},  {1, -1, 1},
                                {1, 2, 4}, {1, -2, 4}, {0, 0, 1}};

// The greatest magnitude of transformed data, of which each number and its
// negative are sums of so many times 255.
int64_t GreatestInput(int64_t r, int64_t c) {
  static constexpr int64_t kPositive[kIn] = {5, 2, 5, 3, 3, 5};
  static constexpr int64_t kNegative[kIn] = {5, 8, 5, 3, 3, 5};
  const int64_t same =
      kPositive[r] * kPositive[c] + kNegative[r] * kNegative[c];
  const int64_t other =
      kPositive[r] * kNegative[c] + kNegative[r] * kPositive[c];
  return 255 * std::max(same, other);
}

// Whether no sum of products is beyond 32 bits: `sums` are those of the
// magnitudes of an output's weights, of each tap.
bool AreSumsSmall(const int64_t* sums) {
  for (int64_t r = 0; r < kIn; ++r) {
    for (int64_t c = 0; c < kIn; ++c) {
      int64_t weight = 0;
      for (int64_t k = 0; k < 9; ++k) {
        weight += std::abs(kG[r][k / 3] * kG[c][k % 3]) * sums[k];
      }
      if (weight * GreatestInput(r, c) > std::numeric_limits<int32_t>::max()) {
        return false;
      }
    }
  }
  return true;
}

bool AreWeightsSmall(const IntegerConvolutionShape& shape,
                     const int8_t* weights) {
  for (int64_t o = 0; o < shape.outputs; ++o) {
    int64_t sums[9] = {};
    for (int64_t i = 0; i < shape.inputs; ++i, weights += 9) {
      for (int64_t k = 0; k < 9; ++k) sums[k] += std::abs(weights[k]);
    }
    if (!AreSumsSmall(sums)) return false;
  }
  return true;
}

bool IsWindowOfThree(const WindowAxis& axis) {
  return axis.kernel == 3 && axis.stride == 1 && axis.dilation == 1;
}

WinogradShape ShapeOf(const IntegerConvolutionShape& of) {
  WinogradShape shape;
  shape.batch = of.batch;
  shape.inputs = of.inputs;
  shape.outputs = of.outputs;
  shape.rows = {of.rows};
  shape.columns = {of.columns};
  return shape;
}

// Whether products that are saved are more than what the transformations, and
// reading four times as many weights, cost.
bool IsFaster(const WinogradShape& shape) {
  const int64_t tiles = WinogradTiles(shape);
  const int64_t pixels = shape.batch * shape.rows.output * shape.columns.output;
  return shape.inputs >= kBlock && shape.outputs >= kBlock &&
         (tiles + 3) * kSpots < pixels * 9;
}

// Of one output for one input, to places `spot_step` apart.
void TransformWeights(const int8_t* w, int16_t* to, int64_t spot_step) {
  for (int64_t r = 0; r < kIn; ++r) {
    int32_t half[3];
    for (int64_t c = 0; c < 3; ++c) {
      half[c] = kG[r][0] * w[c] + kG[r][1] * w[3 + c] + kG[r][2] * w[6 + c];
    }
    for (int64_t c = 0; c < kIn; ++c) {
      to[(r * kIn + c) * spot_step] = static_cast<int16_t>(
          kG[c][0] * half[0] + kG[c][1] * half[1] + kG[c][2] * half[2]);
    }
  }
}

}  // namespace

IntegerWinogradPlan::IntegerWinogradPlan(const IntegerConvolutionShape& of,
                                         int threads)
    : shape(ShapeOf(of)),
      input_type(of.input_type),
      zero_point(of.zero_point),
      input_blocks(DivideUp(of.inputs, kBlock)),
      output_blocks(DivideUp(of.outputs, kBlock)),
      tiles(WinogradTiles(shape)) {
  const int64_t tile_bytes = kSpots * (input_blocks * kBlock * 2 + kPanel * 4);
  const int64_t most =
      std::clamp(kCacheBytes / tile_bytes / 6 * 6, kFewTiles, kManyTiles);
  const int64_t wanted =
      std::clamp(DivideUp(tiles, PiecesFor(threads)), kFewTiles, most);
  const int64_t pieces = DivideUp(tiles, wanted);
  piece_tiles = DivideUp(tiles, pieces);
  panel_groups =
      std::clamp<int64_t>(DivideUp(2 * threads, pieces) - 1, 1, panels());
  group_panels = DivideUp(panels(), panel_groups);
  panel_groups = DivideUp(panels(), group_panels);
}

HWY_EXPORT(Run);

bool WinogradIntegerMethod::IsFitting(const IntegerConvolutionShape& shape,
                                      const int8_t* weights) {
  return shape.groups == 1 && IsWindowOfThree(shape.rows) &&
         IsWindowOfThree(shape.columns) && IsFaster(ShapeOf(shape)) &&
         AreWeightsSmall(shape, weights);
}

int64_t WinogradIntegerMethod::weights_bytes() const {
  return kSpots * plan_.input_blocks * kBlock * plan_.output_blocks * kBlock *
         static_cast<int64_t>(sizeof(int16_t));
}

void WinogradIntegerMethod::PackWeights(const int8_t* weights,
                                        void* packed) const {
  int16_t* const to = static_cast<int16_t*>(packed);
  std::fill_n(to, weights_bytes() / static_cast<int64_t>(sizeof(int16_t)),
              int16_t{0});
  const int64_t inputs = plan_.input_blocks * kBlock;
  for (int64_t o = 0; o < plan_.shape.outputs; ++o) {
    const int64_t panel = o / kPanel;
    const int64_t width =
        std::min(kPanel, plan_.output_blocks * kBlock - panel * kPanel);
    int16_t* const first = to + panel * plan_.panel_elements() + o % kPanel * 2;
    for (int64_t i = 0; i < plan_.shape.inputs; ++i) {
      TransformWeights(weights + (o * plan_.shape.inputs + i) * 9,
                       first + i / 2 * width * 2 + i % 2, inputs * width);
    }
  }
}

int64_t WinogradIntegerMethod::piece_count() const {
  return DivideUp(plan_.tiles, plan_.piece_tiles) * plan_.panel_groups;
}

int64_t WinogradIntegerMethod::scratch_bytes() const {
  const int64_t tiles = EvenTiles(plan_.piece_tiles);
  const int64_t bytes = kSpots * tiles * kBlock * plan_.input_blocks *
                            static_cast<int64_t>(sizeof(int16_t)) +
                        (kSpots * tiles * kPanel + plan_.input_blocks) *
                            static_cast<int64_t>(sizeof(int32_t));
  return DivideUp(bytes, 64) * 64;
}

void WinogradIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                int64_t first, int64_t count,
                                void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
