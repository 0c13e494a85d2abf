#include "dovetail/core/reference/common/half_blocks.h"

#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {
namespace {

template <typename Half>
void Widen(const void* data, int64_t first, int64_t count, float* out) {
  const auto* in = static_cast<const Half*>(data) + first;
  for (int64_t i = 0; i < count; ++i) out[i] = in[i];
}

template <typename Half>
void Narrow(const float* in, int64_t count, void* data, int64_t first) {
  auto* out = static_cast<Half*>(data) + first;
  for (int64_t i = 0; i < count; ++i) out[i] = Half(in[i]);
}

}  // namespace

void WidenHalfPrecision(ElementType type, const void* data, int64_t first,
                        int64_t count, float* out) {
  if (type == ElementType::kF16) {
    Widen<Float16>(data, first, count, out);
  } else {
    Widen<BFloat16>(data, first, count, out);
  }
}

void NarrowToHalfPrecision(ElementType type, const float* in, int64_t count,
                           void* data, int64_t first) {
  if (type == ElementType::kF16) {
    Narrow<Float16>(in, count, data, first);
  } else {
    Narrow<BFloat16>(in, count, data, first);
  }
}

}  // namespace dovetail
