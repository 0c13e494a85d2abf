#include "dovetail/backends/common/kernels/indexing/one_hot.h"

#include <algorithm>
#include <cstring>

namespace dovetail::host {
namespace {

// Zeros, as nearly always, by the system's fastest way.
template <typename T>
void Fill(T* to, int64_t count, T value) {
  if (value == 0) {
    std::memset(to, 0, count * sizeof(T));
  } else {
    std::fill_n(to, count, value);
  }
}

template <typename T>
void OneHotOf(const OneHotShape& shape, Indices indices, T on, T off, T* out,
              int64_t begin, int64_t end) {
  const int64_t row = shape.depth * shape.inner;
  for (int64_t outer = begin; outer < end; ++outer) {
    T* const to = out + outer * row;
    Fill(to, row, off);
    for (int64_t i = 0; i < shape.inner; ++i) {
      int64_t index = indices[outer * shape.inner + i];
      if (index < 0 && shape.from_end) index += shape.depth;
      if (index < 0 || index >= shape.depth) continue;
      to[index * shape.inner + i] = on;
    }
  }
}

}  // namespace

void OneHot(const OneHotShape& shape, Indices indices, const void* on,
            const void* off, void* out, int64_t begin, int64_t end) {
  const auto run = [&](auto type) {
    using T = decltype(type);
    OneHotOf<T>(shape, indices, *static_cast<const T*>(on),
                *static_cast<const T*>(off), static_cast<T*>(out), begin, end);
  };
  switch (shape.element_size) {
    case 1:
      return run(uint8_t());
    case 2:
      return run(uint16_t());
    case 4:
      return run(uint32_t());
    default:
      return run(uint64_t());
  }
}

}  // namespace dovetail::host
