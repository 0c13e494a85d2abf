#include "dovetail/backends/cpu/kernels/integer/integer_depthwise.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/integer_depthwise.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/widen-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_DEPTHWISE_ONCE
#define DOVETAIL_INTEGER_DEPTHWISE_ONCE
namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
constexpr int64_t kPair = 2 * kBlock;  // numbers of a place
// What a tile may take: a part of the first-level cache, with the sums.
constexpr int64_t kTilePlaces = 640;
constexpr int64_t kMostColumns = 64;
constexpr int64_t kPiecesOfThread = 4;

// The outputs of a piece.
struct Piece {
  Piece(const IntegerDepthwisePlan& plan, int64_t number) {
    x = number % plan.columns.tiles * plan.columns.outputs;
    width = std::min(plan.columns.outputs, plan.shape.columns.output - x);
    number /= plan.columns.tiles;
    y = number % plan.rows.tiles * plan.rows.outputs;
    height = std::min(plan.rows.outputs, plan.shape.rows.output - y);
    plane = number / plan.rows.tiles;
    block = plane % plan.blocks;
  }
  int64_t plane, block, y, x, height, width;
};

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_DEPTHWISE_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// The pixels of two rows that are in the input's columns; a row that is not
// there (null) is 0.
template <class Byte>
HWY_INLINE void InterleavePixels(const WidenedRow& row, const Byte* upper,
                                 const Byte* lower, int16_t* to) {
  constexpr hn::FixedTag<Byte, 16> d;
  const auto zero = hn::Set(d, static_cast<Byte>(row.zero_point));
  const auto zero_point = hn::Set(kPairTag, row.zero_point);
  const WidenedRange range(row);
  std::fill(to, to + range.begin * kPair, int16_t{0});
  const auto load = [&](const Byte* from, int64_t i) HWY_ATTR {
    constexpr hn::FixedTag<Byte, 8> half;
    return hn::ZeroExtendVector(d, hn::LoadU(half, from + i * kBlock));
  };
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t at = row.first + i * row.unit;
    const auto pairs =
        hn::InterleaveLower(d, upper == nullptr ? zero : load(upper, at),
                            lower == nullptr ? zero : load(lower, at));
    hn::StoreU(hn::Sub(hn::PromoteTo(kPairTag, pairs), zero_point), kPairTag,
               to + i * kPair);
  }
  std::fill(to + range.end * kPair, to + row.count * kPair, int16_t{0});
}

template <class Byte>
void InterleaveTile(const IntegerDepthwisePlan& plan, const Piece& piece,
                    const void* input, int16_t* tile) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const Byte* const plane = static_cast<const Byte*>(input) +
                            piece.plane * rows.input * columns.input * kBlock;
  WidenedRow row;
  row.first = piece.x * columns.stride - columns.pad;
  row.unit = plan.columns.unit;
  row.count = plan.columns.PlacesOf(piece.width);
  row.input = columns.input;
  row.zero_point = static_cast<int16_t>(plan.shape.zero_point);
  const auto find = [&](int64_t y) {
    return y < 0 || y >= rows.input ? nullptr
                                    : plane + y * columns.input * kBlock;
  };
  const int64_t top = piece.y * rows.stride - rows.pad;
  const int64_t height = plan.rows.PlacesOf(piece.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t y = top + i * plan.rows.unit;
    InterleavePixels<Byte>(row, find(y), find(y + rows.dilation),
                           tile + i * plan.columns.places * kPair);
  }
}

// kCount outputs that are `step` numbers apart, from a window's first number.
template <int kCount>
HWY_INLINE void SumWindows(const IntegerDepthwisePlan& plan,
                           const int16_t* weights, const int16_t* from,
                           int64_t step, int32_t* to) {
  SumVector sums[kCount];
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) sums[i] = hn::Zero(kSumTag);
  const int64_t row_step = plan.rows.tap_step * plan.columns.places * kPair;
  const int64_t tap_step = plan.columns.tap_step * kPair;
  for (int64_t r = 0; r < plan.row_pairs; ++r, from += row_step) {
    const int16_t* at = from;
    for (int64_t c = 0; c < plan.shape.columns.kernel; ++c) {
      const PairVector weight = hn::Load(kPairTag, weights);
      weights += kPair;
#pragma GCC unroll 8
      for (int i = 0; i < kCount; ++i) {
        sums[i] =
            AddProducts(hn::Load(kPairTag, at + i * step), weight, sums[i]);
      }
      at += tap_step;
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    hn::Store(sums[i], kSumTag, to + i * kBlock);
  }
}

void ComputeRow(const IntegerDepthwisePlan& plan, const int16_t* weights,
                const int16_t* from, int64_t count, int32_t* sums) {
  const int64_t step = plan.columns.step * kPair;
  int64_t x = 0;
  for (; x + 8 <= count; x += 8) {
    SumWindows<8>(plan, weights, from + x * step, step, sums + x * kBlock);
  }
  for (; x + 2 <= count; x += 2) {
    SumWindows<2>(plan, weights, from + x * step, step, sums + x * kBlock);
  }
  if (x < count) {
    SumWindows<1>(plan, weights, from + x * step, step, sums + x * kBlock);
  }
}

void RunPiece(const IntegerDepthwisePlan& plan, const Piece& piece,
              const IntegerConvolutionOperands& operands, int16_t* tile,
              int32_t* sums) {
  if (plan.shape.input_type == ElementType::kI8) {
    InterleaveTile<int8_t>(plan, piece, operands.input, tile);
  } else {
    InterleaveTile<uint8_t>(plan, piece, operands.input, tile);
  }
  const int16_t* const weights =
      static_cast<const int16_t*>(operands.weights) +
      piece.block * plan.row_pairs * plan.shape.columns.kernel * kPair;
  const int64_t channels = plan.shape.outputs - piece.block * kBlock;
  const Finish finish(operands, piece.block, channels);
  const int64_t row_step = plan.rows.step * plan.columns.places * kPair;
  for (int64_t i = 0; i < piece.height; ++i) {
    ComputeRow(plan, weights, tile + i * row_step, piece.width, sums);
    const int64_t row = piece.plane * plan.shape.rows.output + piece.y + i;
    finish.Store(sums, (row * plan.shape.columns.output + piece.x) * kBlock,
                 piece.width);
  }
}

void Run(const IntegerDepthwisePlan& plan,
         const IntegerConvolutionOperands& operands, int64_t first,
         int64_t count, void* scratch) {
  int16_t* const tile = static_cast<int16_t*>(scratch);
  int32_t* const sums = reinterpret_cast<int32_t*>(
      tile + plan.rows.places * plan.columns.places * kPair);
  for (int64_t number = first; number < first + count; ++number) {
    RunPiece(plan, Piece(plan, number), operands, tile, sums);
  }
}

#else

void Run(const IntegerDepthwisePlan&, const IntegerConvolutionOperands&,
         int64_t, int64_t, void*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

// Places are pairs of rows: an output reads every second one of them, or, where
// outputs are two rows apart, every one.
TileAxis RowsOf(const WindowAxis& axis, int64_t row_pairs) {
  TileAxis tile;
  if (axis.dilation == 1 && axis.stride == 1) {
    tile.tap_step = 2;
  } else {
    tile.unit = 2 * axis.dilation;
  }
  tile.reach = (row_pairs - 1) * tile.tap_step;
  return tile;
}

TileAxis ColumnsOf(const WindowAxis& axis) {
  TileAxis tile;
  tile.step = axis.stride;
  tile.tap_step = axis.dilation;
  tile.reach = (axis.kernel - 1) * axis.dilation;
  return tile;
}

}  // namespace

IntegerDepthwisePlan::IntegerDepthwisePlan(const IntegerConvolutionShape& of,
                                           int threads)
    : shape(of),
      blocks(DivideUp(of.outputs, kBlock)),
      row_pairs(DivideUp(of.rows.kernel, 2)),
      rows(RowsOf(of.rows, row_pairs)),
      columns(ColumnsOf(of.columns)) {
  columns.Cut(of.columns.output, kMostColumns);
  const bool are_shared =
      of.rows.dilation == 1 && of.rows.stride <= 2;  // by outputs
  const int64_t planes = of.batch * blocks * columns.tiles;
  const int64_t wanted =
      DivideUp(of.rows.output * planes, threads * kPiecesOfThread);
  const int64_t fit = rows.OutputsOf(kTilePlaces / columns.places);
  rows.Cut(of.rows.output, are_shared ? std::min(wanted, fit) : 1);
}

HWY_EXPORT(Run);

int64_t DepthwiseIntegerMethod::weights_bytes() const {
  return plan_.blocks * plan_.row_pairs * plan_.shape.columns.kernel * kPair *
         static_cast<int64_t>(sizeof(int16_t));
}

void DepthwiseIntegerMethod::PackWeights(const int8_t* weights,
                                         void* packed) const {
  int16_t* const to = static_cast<int16_t*>(packed);
  std::fill_n(to, weights_bytes() / static_cast<int64_t>(sizeof(int16_t)),
              int16_t{0});
  const int64_t height = plan_.shape.rows.kernel;
  const int64_t width = plan_.shape.columns.kernel;
  for (int64_t o = 0; o < plan_.shape.outputs; ++o) {
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t c = 0; c < width; ++c) {
        const int64_t place =
            (o / kBlock * plan_.row_pairs + r / 2) * width + c;
        to[place * kPair + o % kBlock * 2 + r % 2] =
            weights[(o * height + r) * width + c];
      }
    }
  }
}

int64_t DepthwiseIntegerMethod::scratch_bytes() const {
  const int64_t bytes =
      plan_.rows.places * plan_.columns.places * kPair *
          static_cast<int64_t>(sizeof(int16_t)) +
      plan_.columns.outputs * kBlock * static_cast<int64_t>(sizeof(int32_t));
  return DivideUp(bytes, 64) * 64;
}

void DepthwiseIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                 int64_t first, int64_t count,
                                 void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
