// Windows that slide over the spatial axes of a tensor: how many positions they
// have, and where each begins. Shared by convolutions, poolings and whatever
// else cuts an image into patches.
#ifndef DOVETAIL_CORE_OPS_COMMON_WINDOW_H_
#define DOVETAIL_CORE_OPS_COMMON_WINDOW_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// How the elements around the input are chosen.
enum class AutoPad {
  kExplicit,   // as pads_begin and pads_end say
  kSameUpper,  // so that there are ceil(input / stride) windows; an odd one is
               // at the end
  kSameLower,  // the same with the odd one at the beginning
  kValid,      // none
};
absl::Span<const EnumName> EnumNames(AutoPad);

// What becomes of a last window that the input does not fill.
enum class Rounding {
  kFloor,      // left out
  kCeil,       // taken
  kCeilTorch,  // taken if it begins before the padding at the end
};
absl::Span<const EnumName> EnumNames(Rounding);

// One number for each spatial axis in each list. An empty list stands for
// strides and dilations of 1 and paddings of 0.
struct SlidingWindow {
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  AutoPad auto_pad = AutoPad::kExplicit;
  Rounding rounding = Rounding::kFloor;
};

// Strides, dilations, paddings and extents of kernels may be at most this, so
// that products of two of them fit an int64.
inline constexpr int64_t kMaxWindowNumber = (int64_t{1} << 31) - 1;

// One axis with everything known. Window number o covers the input's elements
// o * stride - pad_begin + k * dilation for k in [0, kernel), as far as they
// are in [0, input).
struct WindowAxis {
  int64_t input = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t output = 1;

  // Input elements from the first that a window covers to the last.
  int64_t span() const { return (kernel - 1) * dilation + 1; }
  // Where a window begins; may be negative.
  int64_t Begin(int64_t o) const { return o * stride - pad_begin; }
};

// Lists have `spatial_rank` numbers or none, strides and dilations are >= 1,
// nothing exceeds kMaxWindowNumber; and with `pads_not_negative` no padding is
// below 0. The error names the attribute.
absl::Status CheckWindow(const InferContext& context,
                         const SlidingWindow& window, int spatial_rank,
                         bool pads_not_negative);

// The number of windows of extent `kernel` along spatial axis `axis` of extent
// `input`. The error says that no window fits. CheckWindow has passed.
absl::StatusOr<Dimension> WindowCount(const InferContext& context,
                                      const SlidingWindow& window, int axis,
                                      const Dimension& input,
                                      const Dimension& kernel);

// An axis while a kernel runs, after inference has accepted these extents.
WindowAxis ResolveWindow(const SlidingWindow& window, int axis, int64_t input,
                         int64_t kernel, int64_t output);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_WINDOW_H_
