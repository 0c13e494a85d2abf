#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/image/color/color_conversion.h"
#include "dovetail/core/reference/image/color/number.h"

namespace dovetail {
namespace {

enum class Order { kRgb, kBgr };

// Where the planes of one image lie.
template <typename T>
struct YuvPlanes {
  const T* y;
  const T* u;
  const T* v;
  int64_t step;  // from one element of U, and of V, to the next

  int64_t y_image;   // elements from an image to the next
  int64_t uv_image;
};

// The planes of NV12 (`packed`: U and V by turns) and I420 in one or more
// inputs, for images of `area` pixels.
template <typename T>
YuvPlanes<T> PlanesOf(const KernelContext& context, bool packed,
                      int64_t area) {
  const auto data = [&](int i) { return context.input(i).data<T>(); };
  const int64_t quarter = area / 4;
  YuvPlanes<T> planes;
  planes.y = data(0);
  planes.step = packed ? 2 : 1;
  if (context.input_count() == 1) {
    planes.u = data(0) + area;
    planes.y_image = planes.uv_image = area + 2 * quarter;
  } else {
    planes.u = data(1);
    planes.y_image = area;
    planes.uv_image = packed ? 2 * quarter : quarter;
  }
  if (packed) {
    planes.v = planes.u + 1;
  } else {
    planes.v = context.input_count() == 1 ? planes.u + quarter : data(2);
  }
  return planes;
}

template <typename T>
void ConvertPixel(float y, float u, float v, Order order, T* out) {
  const float brightness = 1.164f * (y - 16);
  u -= 128;
  v -= 128;
  const T red = ToPixel<T>(brightness + 1.596f * v);
  const T green = ToPixel<T>(brightness - 0.391f * u - 0.813f * v);
  const T blue = ToPixel<T>(brightness + 2.018f * u);
  out[0] = order == Order::kRgb ? red : blue;
  out[1] = green;
  out[2] = order == Order::kRgb ? blue : red;
}

template <typename T>
void ConvertRows(const KernelContext& context, bool packed, Order order) {
  const Shape& shape = context.output(0).shape();
  const int64_t height = shape[1], width = shape[2];
  const YuvPlanes<T> planes = PlanesOf<T>(context, packed, height * width);
  T* output = context.output(0).mutable_data<T>();
  ParallelLoop(
      context, shape[0] * height, width * 20, [&](int64_t row, int64_t end) {
        for (; row < end; ++row) {
          const int64_t image = row / height, line = row % height;
          const T* y = planes.y + image * planes.y_image + line * width;
          const int64_t uv_row = image * planes.uv_image +
                                 line / 2 * (width / 2) * planes.step;
          T* out = output + row * width * 3;
          for (int64_t x = 0; x < width; ++x) {
            const int64_t uv = uv_row + x / 2 * planes.step;
            ConvertPixel<T>(static_cast<float>(y[x]),
                            static_cast<float>(planes.u[uv]),
                            static_cast<float>(planes.v[uv]), order,
                            out + 3 * x);
          }
        }
      });
}

absl::Status ToRgb(KernelContext& context, bool packed, Order order) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return DispatchPixel(context.input(0).type(), context, [&](auto tag) {
    ConvertRows<typename decltype(tag)::type>(context, packed, order);
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status Nv12ToRgbKernel(KernelContext& context) {
  return ToRgb(context, /*packed=*/true, Order::kRgb);
}
absl::Status Nv12ToBgrKernel(KernelContext& context) {
  return ToRgb(context, /*packed=*/true, Order::kBgr);
}
absl::Status I420ToRgbKernel(KernelContext& context) {
  return ToRgb(context, /*packed=*/false, Order::kRgb);
}
absl::Status I420ToBgrKernel(KernelContext& context) {
  return ToRgb(context, /*packed=*/false, Order::kBgr);
}

}  // namespace dovetail
