#include "dovetail/backends/cpu/kernels/integer/direct.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/direct.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/widen-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_DIRECT_ONCE
#define DOVETAIL_INTEGER_DIRECT_ONCE
namespace dovetail::cpu {
namespace {

// The outputs of a work item, and where what they read begins.
struct WorkItem {
  WorkItem(const DirectPlan& plan, int64_t number) {
    first_panel = number % plan.groups.count * plan.groups.panels;
    panels = std::min(plan.groups.panels, plan.panels() - first_panel);
    number /= plan.groups.count;
    x = number % plan.columns.tiles * plan.columns.outputs;
    width = std::min(plan.columns.outputs, plan.shape.columns.output - x);
    number /= plan.columns.tiles;
    y = number % plan.rows.tiles * plan.rows.outputs;
    height = std::min(plan.rows.outputs, plan.shape.rows.output - y);
    n = number / plan.rows.tiles;
    top = y * plan.shape.rows.stride - plan.shape.rows.pad;
    left = x * plan.shape.columns.stride - plan.shape.columns.pad;
  }
  int64_t n, y, x, height, width;
  int64_t first_panel, panels;
  int64_t top, left;
};

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_DIRECT_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

template <class Byte>
void WidenTile(const DirectPlan& plan, const WorkItem& item, const void* input,
               int16_t* tile) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const WidenedRow row(item.left, plan.columns.unit, plan.columns.places,
                       columns.input, plan.shape.zero_point);
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t y = item.top + i * plan.rows.unit;
    if (y < 0 || y >= rows.input) {
      std::fill_n(tile, plan.blocks * elements, int16_t{0});
      tile += plan.blocks * elements;
      continue;
    }
    for (int64_t b = 0; b < plan.blocks; ++b, tile += elements) {
      const int64_t plane = item.n * plan.blocks + b;
      const int64_t at =
          (plane * rows.input + y) * columns.input * kChannelBlock;
      WidenRow<Byte>(row, plan.lanes, static_cast<const Byte*>(input) + at,
                     tile);
    }
  }
}

// One panel of outputs of all pixels of the work item.
void ComputePanel(const DirectPlan& plan, const WorkItem& item, int64_t panel,
                  const IntegerConvolutionOperands& operands,
                  const int16_t* tile, int32_t* sums) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const int64_t blocks = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
  const auto finish_of = [&](int64_t b) {
    const int64_t block = std::min(2 * panel + b, plan.output_blocks - 1);
    return Finish(operands, block, plan.shape.outputs - block * kChannelBlock);
  };
  const Finish finishes[2] = {finish_of(0), finish_of(1)};
  MultiplyArguments t;
  t.pixel_step = plan.columns.step * plan.lanes;
  t.offsets = plan.offsets.data();
  t.runs = static_cast<int64_t>(plan.offsets.size());
  t.pairs = plan.run_pairs;
  t.weights = static_cast<const int16_t*>(operands.weights) +
              panel * 2 * kChannelBlock * plan.pairs() * 2;
  t.sums = sums;
  t.block_step = DirectPlan::kPixels * kChannelBlock;
  const int64_t row_step =
      plan.rows.step * plan.blocks * plan.columns.places * plan.lanes;
  for (int64_t i = 0; i < item.height; ++i) {
    for (int64_t x = 0; x < item.width; x += DirectPlan::kPixels) {
      const int64_t count = std::min(DirectPlan::kPixels, item.width - x);
      t.data = tile + i * row_step + x * t.pixel_step;
      MultiplyRow(t, blocks, count);
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t plane = item.n * plan.output_blocks + 2 * panel + b;
        const int64_t row = plane * rows.output + item.y + i;
        finishes[b].Store(sums + b * t.block_step,
                          (row * columns.output + item.x + x) * kChannelBlock,
                          count);
      }
    }
  }
}

void Run(const DirectPlan& plan, const IntegerConvolutionOperands& operands,
         int64_t first, int64_t count, void* scratch) {
  int16_t* const tile = static_cast<int16_t*>(scratch);
  int32_t* const sums = reinterpret_cast<int32_t*>(tile + plan.tile_room());
  for (int64_t number = first; number < first + count; ++number) {
    const WorkItem item(plan, number);
    if (number == first || item.first_panel == 0) {
      if (plan.shape.input_type == ElementType::kI8) {
        WidenTile<int8_t>(plan, item, operands.input, tile);
      } else {
        WidenTile<uint8_t>(plan, item, operands.input, tile);
      }
    }
    for (int64_t i = 0; i < item.panels; ++i) {
      ComputePanel(plan, item, item.first_panel + i, operands, tile, sums);
    }
  }
}

#else

void Run(const DirectPlan&, const IntegerConvolutionOperands&, int64_t, int64_t,
         void*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Run);

absl::string_view DirectIntegerMethod::weights_form() const {
  return plan_.lanes == kChannelBlock ? "direct" : "direct rows";
}

void DirectIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                              int64_t first, int64_t count,
                              void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
