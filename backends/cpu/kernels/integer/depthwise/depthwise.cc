#include "dovetail/backends/cpu/kernels/integer/depthwise/depthwise.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/depthwise/depthwise.cc"
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

constexpr int64_t kPair = 2 * kChannelBlock;  // numbers of a place

// The outputs of a work item.
struct WorkItem {
  WorkItem(const IntegerDepthwisePlan& plan, int64_t number) {
    x = number % plan.columns.tiles * plan.columns.outputs;
    width = std::min(plan.columns.outputs, plan.shape.columns.output - x);
    number /= plan.columns.tiles;
    block = number % plan.blocks;
    number /= plan.blocks;
    y = number % plan.rows.tiles * plan.rows.outputs * plan.group;
    height =
        std::min(plan.rows.outputs * plan.group, plan.shape.rows.output - y);
    plane = number / plan.rows.tiles * plan.blocks + block;
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

// A row of the input, or, with step 0, 2 pixels of zero points for one that is
// not there.
template <class Byte>
struct SourceRow {
  const Byte* data;
  int64_t step;  // to the next pixel
};

HWY_INLINE void StoreZeros(int16_t* to, int64_t pairs) {
  for (int64_t i = 0; i < pairs; ++i) {
    hn::StoreU(hn::Zero(kPairTag), kPairTag, to + i * kPair);
  }
}

// zero_points: of a place.
template <class Byte>
HWY_INLINE void InterleavePixels(const WidenedRow& row,
                                 const int16_t* zero_points,
                                 SourceRow<Byte> upper, SourceRow<Byte> lower,
                                 int16_t* to) {
  constexpr hn::FixedTag<Byte, 16> two;
  constexpr hn::FixedTag<Byte, 8> one;
  const PairVector zero_point = hn::LoadU(kPairTag, zero_points);
  const auto store = [&](hn::Vec<decltype(two)> pairs, int64_t i) HWY_ATTR {
    hn::StoreU(hn::Sub(hn::PromoteTo(kPairTag, pairs), zero_point), kPairTag,
               to + i * kPair);
  };
  StoreZeros(to, row.begin);
  int64_t i = row.begin;
  for (; i + 2 <= row.end; i += 2) {
    const int64_t at = row.first + i;
    const auto above = hn::LoadU(two, upper.data + at * upper.step);
    const auto below = hn::LoadU(two, lower.data + at * lower.step);
    store(hn::InterleaveLower(two, above, below), i);
    store(hn::InterleaveUpper(two, above, below), i + 1);
  }
  if (i < row.end) {
    const int64_t at = row.first + i;
    const auto above = hn::LoadU(one, upper.data + at * upper.step);
    const auto below = hn::LoadU(one, lower.data + at * lower.step);
    store(hn::InterleaveLower(two, hn::ZeroExtendVector(two, above),
                              hn::ZeroExtendVector(two, below)),
          i);
  }
  StoreZeros(to + row.end * kPair, row.count - row.end);
}

template <class Byte>
void InterleaveTile(const IntegerDepthwisePlan& plan, const WorkItem& item,
                    const void* input, int16_t* tile) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const Byte* const plane =
      static_cast<const Byte*>(input) +
      item.plane * rows.input * columns.input * kChannelBlock;
  const WidenedRow row(item.x * columns.stride - columns.pad, 1,
                       plan.columns.PlacesOf(item.width), columns.input,
                       plan.shape.zero_point);
  int16_t zero_points[kPair];
  Byte zeros[2 * kChannelBlock];
  for (int64_t i = 0; i < kChannelBlock; ++i) {
    const int32_t zero = plan.ZeroPointOf(item.block * kChannelBlock + i);
    zero_points[2 * i] = zero_points[2 * i + 1] = static_cast<int16_t>(zero);
    zeros[i] = zeros[kChannelBlock + i] = static_cast<Byte>(zero);
  }
  const auto find = [&](int64_t y) {
    return y < 0 || y >= rows.input
               ? SourceRow<Byte>{zeros, 0}
               : SourceRow<Byte>{plane + y * columns.input * kChannelBlock,
                                 kChannelBlock};
  };
  const int64_t top = item.y * rows.stride - rows.pad;
  const int64_t height = plan.rows.PlacesOf(DivideUp(item.height, plan.group));
  for (int64_t i = 0; i < height; ++i) {
    const int64_t y = top + i * plan.rows.unit;
    InterleavePixels<Byte>(row, zero_points, find(y), find(y + rows.dilation),
                           tile + i * plan.columns.places * kPair);
  }
}

// kCount outputs that are `step` numbers apart, from a window's first number,
// in each of kGroup rows.
template <int kCount, int kGroup>
void SumWindows(const IntegerDepthwisePlan& plan, const int16_t* weights,
                const int16_t* from, int64_t step, int32_t* to,
                int64_t to_step) {
  SumVector sums[kGroup][kCount];
#pragma GCC unroll 2
  for (int g = 0; g < kGroup; ++g) {
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) sums[g][i] = hn::Zero(kSumTag);
  }
  const int64_t row_step = plan.columns.places * kPair;
  const int64_t tap_step = plan.columns.tap_step * kPair;
  const int64_t next_weights = plan.window_elements();
  for (int64_t r = 0; r < plan.row_pairs; ++r, from += row_step) {
    const int16_t* at = from;
    for (int64_t c = 0; c < plan.shape.columns.kernel; ++c) {
      PairVector w[kGroup];
#pragma GCC unroll 2
      for (int g = 0; g < kGroup; ++g) {
        w[g] = hn::Load(kPairTag, weights + g * next_weights);
      }
      weights += kPair;
#pragma GCC unroll 8
      for (int i = 0; i < kCount; ++i) {
        const PairVector x = hn::Load(kPairTag, at + i * step);
#pragma GCC unroll 2
        for (int g = 0; g < kGroup; ++g) {
          sums[g][i] = PairProducts::Add(x, w[g], sums[g][i]);
        }
      }
      at += tap_step;
    }
  }
#pragma GCC unroll 2
  for (int g = 0; g < kGroup; ++g) {
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      hn::Store(sums[g][i], kSumTag, to + g * to_step + i * kChannelBlock);
    }
  }
}

using SumFunction = decltype(&SumWindows<1, 1>);

template <int kGroup, int... kLess>
SumFunction FindSum(int64_t count, std::integer_sequence<int, kLess...>) {
  static constexpr SumFunction kFunctions[] = {
      SumWindows<kLess + 1, kGroup>...};
  return kFunctions[count - 1];
}

// sums: [kGroup][count][8]. About equally many each time, as few leave the
// processor waiting for sums.
template <int kGroup>
void ComputeRows(const IntegerDepthwisePlan& plan, const int16_t* weights,
                 const int16_t* from, int64_t count, int32_t* sums) {
  constexpr int kMax = kGroup == 1 ? 8 : 6;
  const int64_t step = plan.columns.step * kPair;
  int64_t left = count;
  for (int64_t times = DivideUp(count, kMax); times > 0; --times) {
    const int64_t now = DivideUp(left, times);
    const auto sum =
        FindSum<kGroup>(now, std::make_integer_sequence<int, kMax>());
    sum(plan, weights, from, step, sums, count * kChannelBlock);
    left -= now;
    from += now * step;
    sums += now * kChannelBlock;
  }
}

void RunItem(const IntegerDepthwisePlan& plan, const WorkItem& item,
             const IntegerConvolutionOperands& operands, int16_t* tile,
             int32_t* sums) {
  if (plan.shape.input_type == ElementType::kI8) {
    InterleaveTile<int8_t>(plan, item, operands.input, tile);
  } else {
    InterleaveTile<uint8_t>(plan, item, operands.input, tile);
  }
  const int16_t* const weights =
      static_cast<const int16_t*>(operands.weights) +
      item.block * plan.group * plan.window_elements();
  const int64_t channels = plan.shape.outputs - item.block * kChannelBlock;
  const Finish finish(operands, item.block, channels);
  const int64_t row_step = plan.rows.step * plan.columns.places * kPair;
  const auto compute = plan.group == 2 ? ComputeRows<2> : ComputeRows<1>;
  const bool are_whole_rows = plan.columns.tiles == 1;
  for (int64_t i = 0; i < item.height; i += plan.group) {
    compute(plan, weights, tile, item.width, sums);
    tile += row_step;
    const int64_t rows = std::min(plan.group, item.height - i);
    const int64_t row = item.plane * plan.shape.rows.output + item.y + i;
    const int64_t at =
        (row * plan.shape.columns.output + item.x) * kChannelBlock;
    if (are_whole_rows) {
      finish.Store(sums, at, rows * item.width);
      continue;
    }
    for (int64_t g = 0; g < rows; ++g) {
      finish.Store(sums + g * item.width * kChannelBlock,
                   at + g * plan.shape.columns.output * kChannelBlock,
                   item.width);
    }
  }
}

void Run(const IntegerDepthwisePlan& plan,
         const IntegerConvolutionOperands& operands, int64_t first,
         int64_t count, void* scratch) {
  int16_t* const tile = static_cast<int16_t*>(scratch);
  int32_t* const sums = reinterpret_cast<int32_t*>(
      tile + plan.rows.places * plan.columns.places * kPair);
  for (int64_t number = first; number < first + count; ++number) {
    RunItem(plan, WorkItem(plan, number), operands, tile, sums);
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

HWY_EXPORT(Run);

void DepthwiseIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                 int64_t first, int64_t count,
                                 void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
