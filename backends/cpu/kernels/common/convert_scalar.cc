#include "dovetail/backends/cpu/kernels/common/convert_scalar.h"

namespace dovetail::cpu {

bool IsConvertible(ElementType type) {
  return DispatchConvertible(type, [](auto) {});
}

void LoadStridedFloats(ElementType type, const void* from, int64_t stride,
                       float* to, size_t count) {
  DispatchConvertible(type, [&](auto element) {
    LoadEach<decltype(element)>(from, stride, to, count);
  });
}

void StoreStridedFloats(ElementType type, const float* from, void* to,
                        int64_t stride, size_t count) {
  DispatchConvertible(type, [&](auto element) {
    StoreEach<decltype(element)>(from, to, stride, count);
  });
}

}  // namespace dovetail::cpu
