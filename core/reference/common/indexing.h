// Walking through the elements of tensors of any rank. Strides here count
// elements, not bytes: kernels see packed tensors.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_INDEXING_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_INDEXING_H_

#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

using ElementStrides = absl::InlinedVector<int64_t, 6>;

// Distance in elements between neighbours along each axis of a packed tensor.
ElementStrides RowMajorStrides(const Shape& shape);

// Strides by which a packed tensor of shape `from` is read at positions of
// shape `to` when it is broadcast to it: 0 along broadcast and missing axes.
// Axes are aligned at the last one, or at axis `first_axis` of `to` when that
// is not negative. `from` has to fit, as inference has checked.
ElementStrides BroadcastStrides(const Shape& from, const Shape& to,
                                int first_axis = -1);

// Steps through all positions of a shape in C order and keeps, for N tensors,
// the offset of that position by the tensor's strides.
//
//   Odometer<2> at(shape, {strides_a, strides_b});
//   for (int64_t i = 0; i < count; ++i, at.Next()) {
//     out[i] = f(a[at.offset(0)], b[at.offset(1)]);
//   }
template <int N>
class Odometer {
 public:
  Odometer(const Shape& shape, const std::array<ElementStrides, N>& strides)
      : shape_(shape), strides_(strides) {
    position_.resize(shape.rank(), 0);
    offsets_.fill(0);
  }

  // Goes to the position number `index` in C order; no extent may be 0.
  void Seek(int64_t index) {
    offsets_.fill(0);
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
      position_[axis] = index % shape_[axis];
      index /= shape_[axis];
      for (int n = 0; n < N; ++n) {
        offsets_[n] += position_[axis] * strides_[n][axis];
      }
    }
  }

  // The next position; after the last one comes the first.
  void Next() {
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
      ++position_[axis];
      for (int n = 0; n < N; ++n) offsets_[n] += strides_[n][axis];
      if (position_[axis] < shape_[axis]) return;
      for (int n = 0; n < N; ++n) {
        offsets_[n] -= position_[axis] * strides_[n][axis];
      }
      position_[axis] = 0;
    }
  }

  int64_t offset(int n) const { return offsets_[n]; }
  int64_t position(int axis) const { return position_[axis]; }

 private:
  Shape shape_;
  std::array<ElementStrides, N> strides_;
  ElementStrides position_;
  std::array<int64_t, N> offsets_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_INDEXING_H_
