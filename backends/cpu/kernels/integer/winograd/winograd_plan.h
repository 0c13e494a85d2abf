// Division of the work of Winograd's algorithm for integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_PLAN_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_tiles.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/work_split.h"

namespace dovetail::cpu {

// A work item is some tiles and a group of panels of 16 outputs.
struct IntegerWinogradPlan {
  // Of a work item, at most.
  static constexpr int64_t kManyTiles = 48;

  // Whether the shape is one that there are such plans for, and the algorithm
  // is faster for it than the direct method.
  static bool IsFitting(const IntegerConvolutionShape& shape);

  IntegerWinogradPlan(const IntegerConvolutionShape& of, int threads);

  int64_t panels() const { return (output_blocks + 1) / 2; }
  // Transformed weights of a panel, if it has 16 outputs, and of all.
  int64_t panel_elements() const {
    return kWinogradPoints * kWinogradPoints * input_blocks * 8 * 16;
  }
  int64_t weight_elements() const {
    return panel_elements() / 16 * output_blocks * 8;
  }
  int64_t work_item_count() const;
  int64_t scratch_bytes() const;

  WinogradShape shape;
  ElementType input_type;
  int32_t zero_point;
  int64_t input_blocks, output_blocks;  // of 8 channels
  int64_t tiles, item_tiles;
  PanelGroups groups;

 private:
  void ChooseWorkItems(int threads);
};

// Tiles in pairs, which are transformed together.
inline int64_t EvenTiles(int64_t tiles) { return (tiles + 1) / 2 * 2; }

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_WINOGRAD_PLAN_H_
