// The shapes of a convolution's data and kernel, looked at together: what all
// convolutions check before they slide a window.
#ifndef DOVETAIL_CORE_OPS_CONVOLUTION_KERNEL_SHAPE_H_
#define DOVETAIL_CORE_OPS_CONVOLUTION_KERNEL_SHAPE_H_

#include "absl/status/statusor.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// The order of a kernel's first axes. Spatial axes follow.
enum class KernelLayout {
  kOutIn,       // Convolution: [O, I, …]
  kGroupOutIn,  // GroupConvolution: [G, O / G, I / G, …]
  kInOut,       // ConvolutionBackpropData: [I, O, …]
  kGroupInOut,  // GroupConvolutionBackpropData: [G, I / G, O / G, …]
};

// How many axes come before the spatial ones.
int LeadingAxes(KernelLayout layout);

// What is known of data [N, I, spatial …] and kernel together.
struct ConvolutionShapes {
  int spatial_rank = 0;       // 1 … 3
  Dimension batch;            // N
  Dimension output_channels;  // O of all groups
  std::vector<Dimension> data;    // spatial extents
  std::vector<Dimension> kernel;  // spatial extents
};

// Reads the shapes of inputs 0 (data) and `kernel_input`. Ranks that are not
// known follow from the other input or from the lists of `window`; nothing when
// none of them tells. The error says which ranks or channels do not fit.
// `groups` counts on top of those in the layout.
absl::StatusOr<std::optional<ConvolutionShapes>> ReadConvolutionShapes(
    const InferContext& context, const SlidingWindow& window,
    KernelLayout layout, int kernel_input = 1, int64_t groups = 1);

// [N, O, spatial …] of what the kernel gives as it slides over the data. The
// error is of an axis on which it has no place.
absl::StatusOr<PartialShape> ConvolvedShape(const InferContext& context,
                                            const SlidingWindow& window,
                                            const ConvolutionShapes& shapes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONVOLUTION_KERNEL_SHAPE_H_
