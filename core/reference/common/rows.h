// A broadcast of several tensors taken apart into rows: runs of output
// elements along which each input either steps element by element or stays
// where it is. Adjacent axes that can be walked as one are joined, so that
// tensors of one shape make a single row.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_ROWS_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_ROWS_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

template <int N>
class BroadcastRows {
 public:
  // `strides` are those of each input for positions of `shape`, from
  // BroadcastStrides.
  BroadcastRows(const Shape& shape,
                const std::array<ElementStrides, N>& strides) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      if (!JoinsLast(shape[axis], axis, strides)) {
        shape_.push_back(shape[axis]);
        for (int n = 0; n < N; ++n) strides_[n].push_back(strides[n][axis]);
      }
    }
    if (shape_.rank() == 0) {
      shape_.push_back(1);
      for (int n = 0; n < N; ++n) strides_[n].push_back(0);
    }
  }

  // Whether input `n` steps along rows; it has stride 1 then, as the innermost
  // axis of a packed tensor has.
  bool steps(int n) const { return strides_[n].back() != 0; }

  // Calls `row(offsets, out, count)` for pieces of rows that make up the output
  // elements [begin, end): where each input and the output begin, and how many
  // elements follow.
  template <typename F>
  void ForEach(int64_t begin, int64_t end, F row) const {
    Shape outer = shape_;
    outer.resize(shape_.rank() - 1);
    const int64_t length = shape_.back();
    Odometer<N> at(outer, strides_);
    at.Seek(begin / length);
    int64_t skip = begin % length;
    for (int64_t i = begin; i < end;) {
      const int64_t count = std::min(length - skip, end - i);
      std::array<int64_t, N> offsets;
      for (int n = 0; n < N; ++n) {
        offsets[n] = at.offset(n) + skip * strides_[n].back();
      }
      row(offsets, i, count);
      i += count;
      skip = 0;
      at.Next();
    }
  }

 private:
  // Joins an axis to the one before it where every input is walked through
  // both by one stride.
  bool JoinsLast(int64_t extent, int axis,
                 const std::array<ElementStrides, N>& strides) {
    if (shape_.rank() == 0) return false;
    for (int n = 0; n < N; ++n) {
      if (strides_[n].back() != strides[n][axis] * extent) return false;
    }
    shape_[shape_.rank() - 1] *= extent;
    for (int n = 0; n < N; ++n) strides_[n].back() = strides[n][axis];
    return true;
  }

  Shape shape_;
  std::array<ElementStrides, N> strides_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_ROWS_H_
