#include "dovetail/core/reference/convolution/convolution.h"

#include <cstring>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/convolution/convolution_backprop_data.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/convolution/direct_backprop.h"
#include "dovetail/core/reference/convolution/direct_convolution.h"

namespace dovetail {
namespace {

// Whether output 0 needs no loop: it has no elements, or nothing is summed.
bool IsTrivial(const KernelContext& context) {
  return context.output(0).element_count() == 0 ||
         context.input(0).element_count() == 0 ||
         context.input(1).element_count() == 0;
}

absl::Status FillWithZeros(const KernelContext& context) {
  const Tensor& output = context.output(0);
  if (output.byte_size() > 0) {
    std::memset(output.mutable_raw_data(), 0, output.byte_size());
  }
  return absl::OkStatus();
}

// Channels and groups for a kernel [G, A, B, …] or, not grouped, [A, B, …].
ConvolutionGeometry ChannelsOf(const KernelContext& context, bool grouped,
                               bool input_first) {
  const Shape& kernel = context.input(1).shape();
  const int first = grouped ? 1 : 0;
  ConvolutionGeometry geometry;
  geometry.batch = context.input(0).shape()[0];
  geometry.groups = grouped ? kernel[0] : 1;
  geometry.inputs = kernel[first + (input_first ? 0 : 1)];
  geometry.outputs = kernel[first + (input_first ? 1 : 0)];
  return geometry;
}

absl::Status Convolve(KernelContext& context, bool grouped) {
  if (IsTrivial(context)) return FillWithZeros(context);
  const SlidingWindow& window =
      context.attributes<ConvolutionAttributes>().window;
  const Shape& data = context.input(0).shape();
  const Shape& kernel = context.input(1).shape();
  ConvolutionGeometry geometry =
      ChannelsOf(context, grouped, /*input_first=*/false);
  const int spatial_rank = data.rank() - 2;
  const int leading = kernel.rank() - spatial_rank;
  for (int axis = 0; axis < spatial_rank; ++axis) {
    geometry.axes[3 - spatial_rank + axis] =
        ResolveWindow(window, axis, data[2 + axis], kernel[leading + axis],
                      context.output(0).shape()[2 + axis]);
  }
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(
        wide.input(0).type(), context, [&](auto tag) {
          using T = typename decltype(tag)::type;
          DirectConvolution(wide, geometry, wide.input(0).data<T>(),
                            wide.input(1).data<T>(),
                            wide.output(0).mutable_data<T>());
          return absl::OkStatus();
        });
  });
}

absl::Status Backprop(KernelContext& context, bool grouped) {
  if (IsTrivial(context)) return FillWithZeros(context);
  const auto& attributes =
      context.attributes<ConvolutionBackpropDataAttributes>();
  const Shape& data = context.input(0).shape();
  const Shape& kernel = context.input(1).shape();
  ConvolutionGeometry geometry =
      ChannelsOf(context, grouped, /*input_first=*/true);
  const int spatial_rank = data.rank() - 2;
  const int leading = kernel.rank() - spatial_rank;
  for (int axis = 0; axis < spatial_rank; ++axis) {
    geometry.axes[3 - spatial_rank + axis] = ResolveBackpropWindow(
        attributes, axis, data[2 + axis], kernel[leading + axis],
        context.output(0).shape()[2 + axis], context.has_input(2));
  }
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(
        wide.input(0).type(), context, [&](auto tag) {
          using T = typename decltype(tag)::type;
          DirectBackprop(wide, geometry, wide.input(0).data<T>(),
                         wide.input(1).data<T>(),
                         wide.output(0).mutable_data<T>());
          return absl::OkStatus();
        });
  });
}

}  // namespace

absl::Status ConvolutionKernel(KernelContext& context) {
  return Convolve(context, /*grouped=*/false);
}

absl::Status GroupConvolutionKernel(KernelContext& context) {
  return Convolve(context, /*grouped=*/true);
}

absl::Status ConvolutionBackpropDataKernel(KernelContext& context) {
  return Backprop(context, /*grouped=*/false);
}

absl::Status GroupConvolutionBackpropDataKernel(KernelContext& context) {
  return Backprop(context, /*grouped=*/true);
}

}  // namespace dovetail
