// The part of its input that a window of a pooling covers, axis by axis.
#ifndef DOVETAIL_CORE_REFERENCE_POOLING_WINDOWS_H_
#define DOVETAIL_CORE_REFERENCE_POOLING_WINDOWS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The elements of the input that one window covers along one axis.
struct Covered {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
  // How many elements there are with those of the padding that count.
  int64_t count_with_padding = 0;
};

// What each window along an axis covers. Elements beyond the padding at the
// end, where a rounding up has put them, count unless the rounding is that of
// torch.
std::vector<Covered> CoveredBy(const WindowAxis& axis, Rounding rounding);
// The same for windows that together cover `input` elements as evenly as
// `output` windows can: number o from floor(o * input / output) to
// ceil((o + 1) * input / output).
std::vector<Covered> CoveredAdaptively(int64_t input, int64_t output);

// Up to three axes; missing outer ones are one window over one element.
class PoolWindows {
 public:
  // `axes` are spatial axes in order.
  explicit PoolWindows(std::vector<std::vector<Covered>> axes,
                       absl::Span<const int64_t> input);

  int64_t input_plane() const { return inputs_[0] * inputs_[1] * inputs_[2]; }
  int64_t output_plane() const {
    return Extent(0) * Extent(1) * Extent(2);
  }

  // For every window in order: each(element number) for the elements that it
  // covers, then done(window number, how many, how many with padding).
  template <typename Each, typename Done>
  void Walk(Each&& each, Done&& done) const {
    int64_t window = 0;
    for (const Covered& z : axes_[0]) {
      for (const Covered& y : axes_[1]) {
        for (const Covered& x : axes_[2]) {
          for (int64_t i = 0; i < z.count; ++i) {
            const int64_t slice = (z.first + i * z.step) * inputs_[1];
            for (int64_t j = 0; j < y.count; ++j) {
              const int64_t row =
                  (slice + y.first + j * y.step) * inputs_[2] + x.first;
              for (int64_t k = 0; k < x.count; ++k) each(row + k * x.step);
            }
          }
          done(window++, z.count * y.count * x.count,
               z.count_with_padding * y.count_with_padding *
                   x.count_with_padding);
        }
      }
    }
  }

  // About how many steps Walk takes.
  int64_t cost() const;

 private:
  int64_t Extent(int axis) const {
    return static_cast<int64_t>(axes_[axis].size());
  }

  std::array<std::vector<Covered>, 3> axes_;
  std::array<int64_t, 3> inputs_ = {1, 1, 1};
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_POOLING_WINDOWS_H_
