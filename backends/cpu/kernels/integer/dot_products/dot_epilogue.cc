#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"

#include <algorithm>
#include <new>

namespace dovetail::cpu {

DotChannels NeighbouringChannels(int64_t first, int64_t count) {
  DotChannels channels;
  for (int64_t i = 0; i < kDotGroup; ++i) {
    channels[i] = first + std::min(i, count - 1);
  }
  return channels;
}

DotEpilogue::DotEpilogue(const IntegerEpilogue& e, const DotChannels& channels) {
  const bool bytes = e.output_type != ElementType::kF32;
  const bool has_slope = e.slope != nullptr;
  const bool has_activation =
      e.activation != IntegerEpilogue::Activation::kNone;
  const bool has_grid = e.has_grid && !has_activation;
  form = {.has_grid = has_grid,
          .rounds_activation = e.has_grid && has_activation,
          .has_slope = has_slope,
          .activation = e.activation,
          .beta = e.beta,
          .is_low_of_type = bytes,
          .grid_low = e.grid.low,
          .grid_high = e.grid.high,
          .residual_type = e.residual_type,
          .output_type = e.output_type};
  if (e.output_type == ElementType::kI8) form.flip = 0x80;
  for (int64_t i = 0; i < kDotGroup; ++i) {
    const int64_t c = channels[i];
    const float by = bytes ? e.output_scale[c] : 1;
    const float plus = bytes ? e.output_shift[c] + form.flip : 0;
    const float sums_by = has_grid ? e.grid.scale : has_activation ? 1 : by;
    const float before_slope = has_slope ? 0 : plus;
    slope[i] = has_slope ? e.slope[c] : 1;
    last_shift[i] = has_slope ? plus : 0;
    scale[i] = e.scale[c] * sums_by;
    residual_scale[i] = e.residual_scale * by;
    const float behind = e.residual_shift * by + before_slope;
    shift[i] = e.bias[c] * sums_by + (has_grid         ? e.grid.shift
                                      : has_activation ? 0
                                                       : behind);
    step[i] = has_grid ? e.grid.step * by : by;
    offset[i] = has_grid ? e.grid.offset * by + behind : plus;
    if (form.rounds_activation) {
      step[i] = e.grid.scale;
      offset[i] = e.grid.shift;
      slope[i] = e.grid.step * by;
      last_shift[i] = e.grid.offset * by + plus;
    }
    low[i] = e.low * by + plus;
    high[i] = e.high * by + plus;
    if (bytes) {
      low[i] = std::max(low[i], e.output_low + form.flip);
      high[i] = std::min(high[i], e.output_high + form.flip);
    }
    form.is_low_of_type = form.is_low_of_type && low[i] <= 0;
  }
}

void PackDotEpilogues(const IntegerEpilogue& epilogue, int64_t outputs,
                      void* packed) {
  auto* to = static_cast<DotEpilogue*>(packed);
  for (int64_t first = 0; first < outputs; first += kDotGroup) {
    const int64_t count = std::min(kDotGroup, outputs - first);
    new (to++) DotEpilogue(epilogue, NeighbouringChannels(first, count));
  }
}

}  // namespace dovetail::cpu
