#include "dovetail/core/reference/image/patches/patches.h"

#include <algorithm>
#include <array>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/image/patches/col2im.h"
#include "dovetail/core/ops/image/patches/extract_image_patches.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"

namespace dovetail {
namespace {

using WindowAxes = std::array<WindowAxis, 2>;

WindowAxes ResolveAxes(const SlidingWindow& window,
                       const std::array<int64_t, 2>& image,
                       const std::array<int64_t, 2>& kernel,
                       const std::array<int64_t, 2>& positions) {
  return {ResolveWindow(window, 0, image[0], kernel[0], positions[0]),
          ResolveWindow(window, 1, image[1], kernel[1], positions[1])};
}

// Positions of a patch whose element number `k` is inside of the image.
struct PositionRange {
  int64_t begin;
  int64_t end;
};

PositionRange InsideOf(const WindowAxis& axis, int64_t k) {
  const int64_t offset = k * axis.dilation - axis.pad_begin;
  // The first o with o * stride + offset >= 0, and the first that is too far.
  const int64_t begin = offset >= 0 ? 0 : CeilDivide(-offset, axis.stride);
  const int64_t rest = axis.input - offset;
  const int64_t end = rest <= 0 ? 0 : CeilDivide(rest, axis.stride);
  return {std::min(begin, axis.output), std::min(end, axis.output)};
}

// Calls visit(position, pixel, count) for runs of patches along rows: element
// (ky, kx) of patch number position + i is pixel number pixel + i * stride of
// the image, for i in [0, count).
template <typename F>
void ForEachRun(const WindowAxes& axes, int64_t ky, int64_t kx, F visit) {
  const PositionRange rows = InsideOf(axes[0], ky);
  const PositionRange columns = InsideOf(axes[1], kx);
  if (columns.begin >= columns.end) return;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const int64_t y = axes[0].Begin(row) + ky * axes[0].dilation;
    const int64_t x = axes[1].Begin(columns.begin) + kx * axes[1].dilation;
    visit(row * axes[1].output + columns.begin, y * axes[1].input + x,
          columns.end - columns.begin);
  }
}

template <typename T>
void Extract(const KernelContext& context, const WindowAxes& axes) {
  const Shape& data = context.input(0).shape();
  const int64_t channels = data[1];
  const int64_t in_plane = data[2] * data[3];
  const int64_t out_plane = axes[0].output * axes[1].output;
  const int64_t stride = axes[1].stride;
  const int64_t planes_an_image = context.output(0).shape()[1];
  const T* in = static_cast<const T*>(context.input(0).raw_data());
  T* out = static_cast<T*>(context.output(0).mutable_raw_data());
  ParallelLoop(
      context, data[0] * planes_an_image, out_plane,
      [&](int64_t begin, int64_t end) {
        for (int64_t plane = begin; plane < end; ++plane) {
          const int64_t element = plane % planes_an_image / channels;
          const T* source = in + (plane / planes_an_image * channels +
                                  plane % channels) *
                                     in_plane;
          T* target = out + plane * out_plane;
          std::fill(target, target + out_plane, T{});
          ForEachRun(axes, element / axes[1].kernel, element % axes[1].kernel,
                     [&](int64_t position, int64_t pixel, int64_t count) {
                       for (int64_t i = 0; i < count; ++i) {
                         target[position + i] = source[pixel + i * stride];
                       }
                     });
        }
      });
}

// Input 0 of `context` is [planes, patch elements, positions].
template <typename T>
void Sum(const KernelContext& context, const WindowAxes& axes) {
  const int64_t in_row = axes[0].output * axes[1].output;
  const int64_t out_plane = axes[0].input * axes[1].input;
  const int64_t elements = axes[0].kernel * axes[1].kernel;
  const int64_t stride = axes[1].stride;
  const T* in = static_cast<const T*>(context.input(0).raw_data());
  T* out = static_cast<T*>(context.output(0).mutable_raw_data());
  ParallelLoop(
      context, context.output(0).element_count() / out_plane,
      in_row * elements, [&](int64_t begin, int64_t end) {
        for (int64_t plane = begin; plane < end; ++plane) {
          T* target = out + plane * out_plane;
          std::fill(target, target + out_plane, T{0});
          for (int64_t k = 0; k < elements; ++k) {
            const T* source = in + (plane * elements + k) * in_row;
            ForEachRun(axes, k / axes[1].kernel, k % axes[1].kernel,
                       [&](int64_t position, int64_t pixel, int64_t count) {
                         for (int64_t i = 0; i < count; ++i) {
                           target[pixel + i * stride] += source[position + i];
                         }
                       });
          }
        }
      });
}

// Windows of Col2Im's image, and how many positions they have.
WindowAxes Col2ImAxes(const KernelContext& context) {
  const SlidingWindow& window = context.attributes<Col2ImAttributes>().window;
  const Shape& image = context.output(0).shape();
  const int first = image.rank() - 2;
  WindowAxes axes;
  for (int i = 0; i < 2; ++i) {
    WindowAxis& axis = axes[i];
    axis = ResolveWindow(window, i, image[first + i],
                         context.input(2).ElementAsInt64(i), 0);
    axis.output =
        (axis.input + axis.pad_begin + axis.pad_end - axis.span()) /
            axis.stride + 1;
  }
  return axes;
}

}  // namespace

absl::Status ExtractImagePatchesKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const auto& attributes =
      context.attributes<ExtractImagePatchesAttributes>();
  const Shape& data = context.input(0).shape();
  const Shape& output = context.output(0).shape();
  const WindowAxes axes =
      ResolveAxes(attributes.window, {data[2], data[3]},
                  {attributes.sizes[0], attributes.sizes[1]},
                  {output[2], output[3]});
  return DispatchBySize(context.input(0).type(), context, [&](auto tag) {
    Extract<typename decltype(tag)::type>(context, axes);
    return absl::OkStatus();
  });
}

absl::Status Col2ImKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const WindowAxes axes = Col2ImAxes(context);
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(
        wide.input(0).type(), wide, [&](auto tag) {
          Sum<typename decltype(tag)::type>(wide, axes);
          return absl::OkStatus();
        });
  });
}

}  // namespace dovetail
