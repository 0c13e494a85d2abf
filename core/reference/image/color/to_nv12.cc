#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/image/color/color_conversion.h"
#include "dovetail/core/reference/image/color/number.h"

namespace dovetail {
namespace {

// Brightness or colour of a pixel: its red, green and blue weighed.
struct Component {
  float red, green, blue, offset;

  template <typename T>
  T Of(const T* pixel, int red_channel) const {
    return ToPixel<T>(red * static_cast<float>(pixel[red_channel]) +
                      green * static_cast<float>(pixel[1]) +
                      blue * static_cast<float>(pixel[2 - red_channel]) +
                      offset);
  }
};

constexpr Component kY = {0.257f, 0.504f, 0.098f, 16};
constexpr Component kU = {-0.148f, -0.291f, 0.439f, 128};
constexpr Component kV = {0.439f, -0.368f, -0.071f, 128};

// The mean of a component of a square of four pixels, each rounded before.
template <typename T>
T MeanOfSquare(const Component& component, const T* upper, const T* lower,
               int red_channel) {
  const T values[] = {component.Of(upper, red_channel),
                      component.Of(upper + 3, red_channel),
                      component.Of(lower, red_channel),
                      component.Of(lower + 3, red_channel)};
  float sum = 0;
  for (const T& value : values) sum += static_cast<float>(value);
  return ToPixel<T>(sum / 4);
}

template <typename T>
void ConvertRowPairs(const KernelContext& context, int red_channel) {
  const Shape& shape = context.input(0).shape();
  const int64_t height = shape[1], width = shape[2];
  const int64_t area = height * width;
  const bool single = context.output_count() == 1;
  const T* rgb = context.input(0).data<T>();
  T* y_plane = context.output(0).mutable_data<T>();
  T* uv_plane =
      single ? y_plane + area : context.output(1).mutable_data<T>();
  const int64_t y_image = single ? area / 2 * 3 : area;
  const int64_t uv_image = single ? y_image : area / 2;
  const int64_t pairs = height / 2;
  ParallelLoop(
      context, shape[0] * pairs, width * 60, [&](int64_t pair, int64_t end) {
        for (; pair < end; ++pair) {
          const int64_t image = pair / pairs, line = pair % pairs;
          const T* upper = rgb + pair * 2 * width * 3;
          const T* lower = upper + width * 3;
          T* y = y_plane + image * y_image + line * 2 * width;
          for (int64_t x = 0; x < 2 * width; ++x) {
            y[x] = kY.Of(upper + 3 * x, red_channel);
          }
          T* uv = uv_plane + image * uv_image + line * width;
          for (int64_t x = 0; x < width; x += 2) {
            uv[x] = MeanOfSquare(kU, upper + 3 * x, lower + 3 * x, red_channel);
            uv[x + 1] =
                MeanOfSquare(kV, upper + 3 * x, lower + 3 * x, red_channel);
          }
        }
      });
}

absl::Status ToNv12(KernelContext& context, int red_channel) {
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  return DispatchPixel(context.input(0).type(), context, [&](auto tag) {
    ConvertRowPairs<typename decltype(tag)::type>(context, red_channel);
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status RgbToNv12Kernel(KernelContext& context) {
  return ToNv12(context, /*red_channel=*/0);
}
absl::Status BgrToNv12Kernel(KernelContext& context) {
  return ToNv12(context, /*red_channel=*/2);
}

}  // namespace dovetail
