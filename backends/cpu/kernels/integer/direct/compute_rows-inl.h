// The pixels of a work item of a direct integer convolution, part by part.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 8 x 32 bits are.
#if defined(                                                             \
    DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_COMPUTE_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_COMPUTE_ROWS_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_COMPUTE_ROWS_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_COMPUTE_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_item.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

// Finishes sums of one panel, [blocks of 8][rows][count][8] with blocks
// DirectPlan::kPixels * 8 apart, of `count` pixels from (y, x) of the item on
// in each of some rows. Rows that are whole lie one behind the other.
// block_step: pixels from a block of the output to the next.
HWY_INLINE void StoreRows(const DirectPlan& plan, const DirectItem& item,
                          int64_t panel, const Finish* finishes,
                          int64_t block_step, const int32_t* sums, int64_t y,
                          int64_t rows, int64_t x, int64_t count) {
  const int64_t width = plan.shape.columns.output;
  const int64_t together = count == width ? rows : 1;
  const int64_t blocks = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t block = item.n * plan.output_blocks + 2 * panel + b;
    for (int64_t i = 0; i < rows; i += together) {
      const int64_t pixel =
          block * block_step + (item.y + y + i) * width + item.x + x;
      finishes[b].Store(
          sums + (b * DirectPlan::kPixels + i * count) * kChannelBlock,
          pixel * kChannelBlock, together * count);
    }
  }
}

// All pixels of one panel of outputs: several rows at a time where they are
// short. `multiply(y, rows, x, count)` writes sums as StoreRows reads them.
template <class Multiply>
HWY_INLINE void ComputeRows(const DirectPlan& plan, const DirectItem& item,
                            int64_t panel,
                            const IntegerConvolutionOperands& operands,
                            const int32_t* sums, Multiply multiply) {
  const auto finish_of = [&](int64_t b) {
    const int64_t block = std::min(2 * panel + b, plan.output_blocks - 1);
    return Finish(operands, block, plan.shape.outputs - block * kChannelBlock);
  };
  const Finish finishes[2] = {finish_of(0), finish_of(1)};
  const int64_t block_step =
      operands.OutputStep(plan.shape.rows.output * plan.shape.columns.output);
  const int64_t most = std::max<int64_t>(1, DirectPlan::kPixels / item.width);
  for (int64_t y = 0; y < item.height; y += most) {
    const int64_t rows = std::min(most, item.height - y);
    for (int64_t x = 0; x < item.width; x += DirectPlan::kPixels) {
      const int64_t count = std::min(DirectPlan::kPixels, item.width - x);
      multiply(y, rows, x, count);
      StoreRows(plan, item, panel, finishes, block_step, sums, y, rows, x,
                count);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_COMPUTE_ROWS_INL_H_
