#include "dovetail/core/reference/common/half_blocks.h"

#include "absl/types/span.h"
#include "dovetail/core/tensor/types/element_io.h"

namespace dovetail {

void WidenHalfPrecision(ElementType type, const void* data, int64_t first,
                        int64_t count, float* out) {
  LoadNumbers(type, data, first, absl::MakeSpan(out, count));
}

void NarrowToHalfPrecision(ElementType type, const float* in, int64_t count,
                           void* data, int64_t first) {
  StoreNumbers(type, absl::MakeConstSpan(in, count), data, first);
}

}  // namespace dovetail
