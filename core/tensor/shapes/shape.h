// The extents of a tensor whose size is known.
#ifndef DOVETAIL_CORE_TENSOR_SHAPES_SHAPE_H_
#define DOVETAIL_CORE_TENSOR_SHAPES_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace dovetail {

// A list of extents, outermost first; empty for a scalar. Extents are expected
// to be >= 0; ElementCount and Tensor check that, so that a Shape can be built
// from unchecked numbers.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(absl::Span<const int64_t> dims)
      : dims_(dims.begin(), dims.end()) {}
  // `rank` extents of the same value.
  static Shape Filled(int rank, int64_t value);

  int rank() const { return static_cast<int>(dims_.size()); }
  bool empty() const { return dims_.empty(); }
  size_t size() const { return dims_.size(); }
  int64_t operator[](int axis) const { return dims_[axis]; }
  int64_t& operator[](int axis) { return dims_[axis]; }
  int64_t back() const { return dims_.back(); }
  void push_back(int64_t dim) { dims_.push_back(dim); }
  void insert(int axis, int64_t dim) {
    dims_.insert(dims_.begin() + axis, dim);
  }
  void erase(int axis) { dims_.erase(dims_.begin() + axis); }
  void resize(int rank, int64_t value = 0) { dims_.resize(rank, value); }

  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }
  auto begin() { return dims_.begin(); }
  auto end() { return dims_.end(); }
  absl::Span<const int64_t> dims() const { return dims_; }
  std::vector<int64_t> ToVector() const { return {begin(), end()}; }

  // The product of all extents, 1 for a scalar. kInvalidArgument for a negative
  // extent or a product over 2^63 - 1.
  absl::StatusOr<int64_t> ElementCount() const;
  // The product of the extents of axes [begin, end). For shapes that have been
  // checked already, such as a tensor's.
  int64_t Count(int begin, int end) const;
  int64_t Count() const { return Count(0, rank()); }

  // "[1,3,224,224]"
  std::string ToString() const;

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.dims_ == b.dims_;
  }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape);

 private:
  absl::InlinedVector<int64_t, 6> dims_;
};

// Axis counted from the end when negative, as a number in [0, rank).
// kOutOfRange names axis and rank when there is no such axis.
absl::StatusOr<int> NormalizeAxis(int64_t axis, int rank,
                                  bool scalar_as_vector = false);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_SHAPES_SHAPE_H_
