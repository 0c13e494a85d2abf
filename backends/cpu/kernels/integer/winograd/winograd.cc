#include "dovetail/backends/cpu/kernels/integer/winograd/winograd.h"

#include <algorithm>
#include <array>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/winograd/winograd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_transform-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_WINOGRAD_ONCE
#define DOVETAIL_INTEGER_WINOGRAD_ONCE
namespace dovetail::cpu {
namespace {

constexpr int64_t kSpots = kWinogradPoints * kWinogradPoints;
constexpr int64_t kPanel = 2 * kChannelBlock;

// The tiles and outputs of a work item.
struct WorkItem {
  WorkItem(const IntegerWinogradPlan& plan, int64_t number) {
    first_panel = number % plan.groups.count * plan.groups.panels;
    panels = std::min(plan.groups.panels, plan.panels() - first_panel);
    first = number / plan.groups.count * plan.item_tiles;
    tiles = std::min(plan.item_tiles, plan.tiles - first);
  }
  int64_t first, tiles;
  int64_t first_panel, panels;
};

// Where the tiles of a work item are: found once, as it takes many divisions.
using Places = std::array<WinogradTile, IntegerWinogradPlan::kManyTiles>;

void FindPlaces(const IntegerWinogradPlan& plan, const WorkItem& item,
                Places& places) {
  for (int64_t i = 0; i < item.tiles; ++i) {
    places[i] = WinogradTile(plan.shape, item.first + i);
  }
}

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_WINOGRAD_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// To v[spot][block][tile][8]; of an odd number of tiles the last one twice.
template <class Byte>
void LoadTiles(const IntegerWinogradPlan& plan, const WorkItem& item,
               const Places& places, const IntegerConvolutionOperands& operands,
               int16_t* v) {
  const int64_t tiles = EvenTiles(item.tiles);
  const int64_t plane_size =
      plan.shape.rows.input * plan.shape.columns.input * kChannelBlock;
  HWY_ALIGN Byte copies[2][kSpots * kChannelBlock];
  for (int64_t t = 0; t < tiles; t += 2) {
    const WinogradTile& left = places[t];
    const WinogradTile& right = places[std::min(t + 1, item.tiles - 1)];
    for (int64_t b = 0; b < plan.input_blocks; ++b) {
      const auto find = [&](const WinogradTile& tile, Byte* copy) {
        const uint8_t* const block =
            operands.BlockOfInput(tile.n * plan.input_blocks + b, plane_size);
        return FindPatch(plan, tile, reinterpret_cast<const Byte*>(block),
                         copy);
      };
      TransformTwo(find(left, copies[0]), find(right, copies[1]),
                   static_cast<int16_t>(plan.zero_point),
                   v + (b * tiles + t) * kChannelBlock,
                   plan.input_blocks * tiles * kChannelBlock);
    }
  }
}

// One panel of outputs; sums: [spot][block][tile][8].
void ComputePanel(const IntegerWinogradPlan& plan, const WorkItem& item,
                  const Places& places, int64_t panel, const WindowRun* runs,
                  const IntegerConvolutionOperands& operands, const int16_t* v,
                  int32_t* sums) {
  const int64_t blocks = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
  const int64_t tiles = EvenTiles(item.tiles);
  const int64_t spot_step = blocks * tiles * kChannelBlock;
  MultiplyArguments<PairProducts> t;
  t.pixel_step = kChannelBlock;
  t.runs = runs;
  t.run_count = plan.input_blocks;
  t.steps = kChannelBlock / 2;
  t.weights = static_cast<const int16_t*>(operands.weights) +
              panel * plan.panel_elements();
  t.block_step = tiles * kChannelBlock;
  for (int64_t spot = 0; spot < kSpots; ++spot) {
    t.data = v + spot * plan.input_blocks * tiles * kChannelBlock;
    t.sums = sums + spot * spot_step;
    MultiplyRow(t, blocks, item.tiles);
    t.weights += plan.input_blocks * kChannelBlock * blocks * kChannelBlock;
  }
  const int64_t block_pixels =
      operands.OutputStep(plan.shape.rows.output * plan.shape.columns.output);
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t block = 2 * panel + b;
    const int64_t channels = plan.shape.outputs - block * kChannelBlock;
    const Finish finish(operands, block, channels);
    for (int64_t i = 0; i < item.tiles; ++i) {
      const int64_t number = places[i].n * plan.output_blocks + block;
      StoreTile(plan, places[i], sums + b * t.block_step + i * kChannelBlock,
                spot_step, number * block_pixels, finish);
    }
  }
}

void Run(const IntegerWinogradPlan& plan,
         const IntegerConvolutionOperands& operands, int64_t first,
         int64_t count, void* scratch) {
  int16_t* const v = static_cast<int16_t*>(scratch);
  const int64_t most = EvenTiles(plan.item_tiles);
  int32_t* const sums = reinterpret_cast<int32_t*>(
      v + kSpots * plan.input_blocks * most * kChannelBlock);
  auto* const runs =
      reinterpret_cast<WindowRun*>(sums + kSpots * most * kPanel);
  Places places;
  for (int64_t number = first; number < first + count; ++number) {
    const WorkItem item(plan, number);
    if (number == first || item.first_panel == 0) {
      FindPlaces(plan, item, places);
      if (plan.input_type == ElementType::kI8) {
        LoadTiles<int8_t>(plan, item, places, operands, v);
      } else {
        LoadTiles<uint8_t>(plan, item, places, operands, v);
      }
      for (int64_t b = 0; b < plan.input_blocks; ++b) {
        runs[b].data =
            static_cast<int32_t>(b * EvenTiles(item.tiles) * kChannelBlock);
        runs[b].weights = static_cast<int32_t>(b);
      }
    }
    for (int64_t i = 0; i < item.panels; ++i) {
      ComputePanel(plan, item, places, item.first_panel + i, runs, operands, v,
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

HWY_EXPORT(Run);

bool WinogradIntegerMethod::IsFitting(const IntegerConvolutionShape& shape,
                                      const int8_t* weights) {
  return IntegerWinogradPlan::IsFitting(shape) &&
         AreWinogradSumsExact(shape, weights);
}

void WinogradIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                int64_t first, int64_t count,
                                void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
