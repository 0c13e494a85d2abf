// What becomes of sums of products of bytes: an IntegerEpilogue's numbers as
// kernels of dot products of 16 lanes read them.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_EPILOGUE_H_

#include <array>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"
#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"

namespace dovetail::cpu {

// The channel of each lane of a group.
using DotChannels = std::array<int64_t, kDotGroup>;

// Channels [first, first + count), at most kDotGroup; lanes behind them compute
// the last one again, which nobody stores.
DotChannels NeighbouringChannels(int64_t first, int64_t count);

// What all channels have in common.
struct DotForm {
  // A grid is before all else, or behind the activation.
  bool has_grid = false, rounds_activation = false, has_slope = false;
  IntegerEpilogue::Activation activation = IntegerEpilogue::Activation::kNone;
  float beta = 1;  // of the activation
  // Whether limits from below are those of the type.
  bool is_low_of_type = true;
  float grid_low = 0, grid_high = 0;
  ElementType residual_type = ElementType::kF32;
  ElementType output_type = ElementType::kF32;
  // What unsigned bytes are changed by to be those of the output's type.
  uint8_t flip = 0;
};

// The numbers of the channels of a group. Bytes are computed as unsigned ones,
// their scale is a part of all factors from the start. Copied as memory is.
struct DotEpilogue {
  DotEpilogue(const IntegerEpilogue& epilogue, const DotChannels& channels);

  alignas(64) float scale[kDotGroup], shift[kDotGroup];
  // Of what is below 0, or of rounded activations.
  alignas(64) float slope[kDotGroup], last_shift[kDotGroup];
  // Behind a grid or an activation.
  alignas(64) float step[kDotGroup], offset[kDotGroup];
  alignas(64) float low[kDotGroup], high[kDotGroup];
  alignas(64) float residual_scale[kDotGroup];
  DotForm form;
};

// Those of the groups of `outputs` channels, one after the other, at `packed`,
// which is aligned to 64 bytes.
void PackDotEpilogues(const IntegerEpilogue& epilogue, int64_t outputs,
                      void* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_EPILOGUE_H_
