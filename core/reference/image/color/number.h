// Elements of images as floats and back.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_NUMBER_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_NUMBER_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "absl/status/status.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {

// The number from 0 to 255 that is nearest to `x`, of two the greater; for a
// float type without rounding.
template <typename T>
T ToPixel(float x) {
  x = std::clamp(x, 0.0f, 255.0f);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(x + 0.5f);
  } else {
    return static_cast<T>(x);
  }
}

// u8 and floats.
template <typename F>
absl::Status DispatchPixel(ElementType type, const KernelContext& context,
                           F&& f) {
  if (type == ElementType::kU8) return f(TypeTag<uint8_t>{});
  return DispatchFloat(type, context, f);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_NUMBER_H_
