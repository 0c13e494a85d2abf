#include "dovetail/core/reference/pooling/windows.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/checked_math.h"

namespace dovetail {

std::vector<Covered> CoveredBy(const WindowAxis& axis, Rounding rounding) {
  // How many of a window's elements lie before `end`.
  auto count_before = [&axis](int64_t begin, int64_t end) {
    if (end <= begin) return int64_t{0};
    return std::min(CeilDivide(end - begin, axis.dilation), axis.kernel);
  };
  std::vector<Covered> windows(axis.output);
  for (int64_t o = 0; o < axis.output; ++o) {
    const int64_t begin = axis.Begin(o);
    const int64_t skipped = count_before(begin, 0);
    Covered& window = windows[o];
    window.first = begin + skipped * axis.dilation;
    window.step = axis.dilation;
    window.count = count_before(begin, axis.input) - skipped;
    window.count_with_padding =
        rounding == Rounding::kCeilTorch
            ? count_before(begin, axis.input + axis.pad_end)
            : axis.kernel;
  }
  return windows;
}

std::vector<Covered> CoveredAdaptively(int64_t input, int64_t output) {
  std::vector<Covered> windows(output);
  for (int64_t o = 0; o < output; ++o) {
    // Without the product, which might overflow.
    const int64_t whole = input / output, rest = input % output;
    const int64_t begin = o * whole + o * rest / output;
    const int64_t end = (o + 1) * whole + CeilDivide((o + 1) * rest, output);
    windows[o] = {begin, 1, end - begin, end - begin};
  }
  return windows;
}

PoolWindows::PoolWindows(std::vector<std::vector<Covered>> axes,
                         absl::Span<const int64_t> input) {
  const size_t missing = axes_.size() - axes.size();
  for (size_t i = 0; i < missing; ++i) axes_[i] = {Covered{0, 1, 1, 1}};
  for (size_t i = 0; i < axes.size(); ++i) {
    axes_[missing + i] = std::move(axes[i]);
    inputs_[missing + i] = input[i];
  }
}

int64_t PoolWindows::cost() const {
  int64_t cost = 1;
  for (const std::vector<Covered>& axis : axes_) {
    int64_t steps = 0;
    for (const Covered& window : axis) steps += window.count + 1;
    cost = CheckedMultiply(cost, steps).value_or(INT64_MAX);
  }
  return cost;
}

}  // namespace dovetail
