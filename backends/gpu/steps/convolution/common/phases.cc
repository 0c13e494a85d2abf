#include "dovetail/backends/gpu/steps/convolution/common/phases.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

AxisPhase DirectPhase(const WindowAxis& axis) {
  AxisPhase phase;
  phase.taps = axis.kernel;
  phase.start = -axis.pad_begin;
  phase.stride = axis.stride;
  phase.dilation = axis.dilation;
  phase.count = axis.output;
  return phase;
}

// Results first, first + stride, … of a transposed convolution. A larger
// number in the window is a smaller one in the data: the last comes first.
AxisPhase TransposedPhase(const WindowAxis& axis, int64_t first) {
  AxisPhase phase;
  phase.taps = 0;
  phase.first_output = first;
  phase.output_step = axis.stride;
  phase.count = CeilDivide(axis.input - first, axis.stride);
  for (int64_t tap = axis.kernel - 1; tap >= 0; --tap) {
    const int64_t from = first + axis.pad_begin - tap * axis.dilation;
    if (from % axis.stride != 0) continue;
    const int64_t at = from / axis.stride;
    if (phase.taps == 0) {
      phase.first_tap = tap;
      phase.start = at;
    } else if (phase.taps == 1) {
      phase.tap_step = tap - phase.first_tap;
      phase.dilation = at - phase.start;
    }
    ++phase.taps;
  }
  return phase;
}

}  // namespace

std::vector<AxisPhase> AxisPhases(const WindowAxis& axis, bool transposed) {
  if (!transposed) return {DirectPhase(axis)};
  std::vector<AxisPhase> phases;
  for (int64_t i = 0; i < std::min(axis.stride, axis.input); ++i) {
    phases.push_back(TransposedPhase(axis, i));
  }
  return phases;
}

AxisPadding PaddingOf(const std::vector<AxisPhase>& phases, int64_t data) {
  AxisPadding padding;
  for (const AxisPhase& phase : phases) {
    if (phase.taps == 0) continue;
    const int64_t last = phase.start + (phase.count - 1) * phase.stride +
                         (phase.taps - 1) * phase.dilation;
    padding.before = std::max(padding.before, -phase.start);
    padding.after = std::max(padding.after, last - (data - 1));
  }
  return padding;
}

}  // namespace dovetail::gpu
