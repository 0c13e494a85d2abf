// Copies between two arrangements of the same elements: Transpose, Concat,
// Split, Slice, Reverse, Tile and the regions of Pad are all of this kind.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_STRIDED_COPY_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_STRIDED_COPY_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace dovetail::host {

// A copy that was looked at once and may run any number of times, on several
// threads at once. A plain value; made by the functions below.
struct StridedCopy {
  // Strides in elements.
  struct Axis {
    int64_t extent;
    int64_t from;
    int64_t to;
  };
  enum class Kind {
    kRows,    // both sides run along `inner`
    kTiles,   // `from` runs along `across`, `to` along `inner`
    kSingle,  // one element at a time along `inner`
  };

  Kind kind = Kind::kRows;
  int element_size = 1;  // in bytes: 1, 2, 4, 8 or 16
  absl::InlinedVector<Axis, 6> outer;
  Axis inner = {1, 1, 1};
  Axis across = {1, 1, 1};
  // Parts that the inner axis and the one across are cut into.
  int64_t inner_parts = 1;
  int64_t across_parts = 1;

  // Independent units of work, each of some kilobytes or one row.
  int64_t unit_count = 0;
};

// Element `index` of an array of extents `dims` goes from offset
// sum(index * from_strides) to sum(index * to_strides), in elements of
// `element_size` bytes (1, 2, 4 or 8). Strides of `from` may be 0 or negative;
// no two elements may go to the same place.
// kInvalidArgument: the lists are not equally long, an extent is negative, the
// number of elements does not fit, or there is no such element size.
absl::StatusOr<StridedCopy> MakeStridedCopy(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> from_strides,
    absl::Span<const int64_t> to_strides, int element_size);

// The operation Transpose on dense tensors: axis i of the result, which is
// dense too, is axis order[i] of `dims`. kInvalidArgument: `order` is no
// permutation, or as above.
absl::StatusOr<StridedCopy> MakeTranspose(absl::Span<const int64_t> dims,
                                          absl::Span<const int64_t> order,
                                          int element_size);

// Runs units [begin, end), 0 <= begin <= end <= copy.unit_count. `from` and
// `to` are where the element of index 0 is; the two must not overlap.
void RunStridedCopy(const StridedCopy& copy, const void* from, void* to,
                    int64_t begin, int64_t end);

// Strides of a dense array.
absl::InlinedVector<int64_t, 8> DenseStrides(absl::Span<const int64_t> dims);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_MOVEMENT_STRIDED_COPY_H_
