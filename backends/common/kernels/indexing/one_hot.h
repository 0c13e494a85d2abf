// OneHot: an element set for each index, in runs of others.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_ONE_HOT_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_ONE_HOT_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/indexing/gather.h"

namespace dovetail::host {

// Indices {outer, inner}, output {outer, depth, inner} of elements of 1, 2, 4
// or 8 bytes. An index that lies outside sets none.
struct OneHotShape {
  int64_t outer;
  int64_t depth;
  int64_t inner;
  int element_size;
  bool from_end = false;  // whether negative indices count from the end
};

// Rows [begin, end) of outer.
void OneHot(const OneHotShape& shape, Indices indices, const void* on,
            const void* off, void* out, int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_ONE_HOT_H_
