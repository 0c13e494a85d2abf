// What a thread of ByteIntegerMethod needs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_SCRATCH_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_SCRATCH_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"
#include "dovetail/backends/cpu/kernels/integer/window_run.h"

namespace dovetail::cpu {

// Parts of a piece of memory, or, of none, how long that has to be.
struct ByteScratch {
  // Runs whose weights are widened at a time: 16 KiB of them.
  static constexpr int64_t kWideRuns = 64;

  ByteScratch(const DirectPlan& plan, void* memory)
      : memory_(static_cast<char*>(memory)) {
    const int64_t runs = plan.window_runs() + 1;  // one is written behind
    Add(tile, plan.tile_room());
    Add(wide, plan.tile_room());
    Add(sums, 2 * kChannelBlock * DirectPlan::kPixels);
    Add(runs_of_four, runs);
    Add(runs_of_two, runs);
    Add(great_runs, runs);
    Add(part_runs, kWideRuns);
    Add(wide_weights, kWideRuns * 2 * kChannelBlock * kChannelBlock);
    Add(least, plan.blocks * kChannelBlock);
    Add(greatest, plan.blocks * kChannelBlock);
    Add(is_wide, plan.blocks);
  }

  int64_t bytes = 0;
  uint8_t* tile = nullptr;            // the input's, less the least of a block
  int16_t* wide = nullptr;            // the same, of blocks that are asked for
  int32_t* sums = nullptr;            // of a panel
  WindowRun* runs_of_four = nullptr;  // of which sums of four are of 16 bits
  WindowRun* runs_of_two = nullptr;   // else sums of two
  WindowRun* great_runs = nullptr;    // and others
  WindowRun* part_runs = nullptr;     // some of these, by their wide weights
  int16_t* wide_weights = nullptr;
  // Unsigned, of the input's numbers of each block, and the greatest of the
  // tile's; while it is copied, of each channel of the input.
  uint8_t *least = nullptr, *greatest = nullptr;
  bool* is_wide = nullptr;  // whether a block is in `wide`

 private:
  template <class T>
  void Add(T*& part, int64_t count) {
    constexpr int64_t kAlignment = 64;
    if (memory_ != nullptr) part = reinterpret_cast<T*>(memory_ + bytes);
    bytes += (count * static_cast<int64_t>(sizeof(T)) + kAlignment - 1) /
             kAlignment * kAlignment;
  }

  char* memory_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_BYTE_SCRATCH_H_
