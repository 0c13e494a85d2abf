// Knowledge, before anything runs, of the elements of a small tensor such
// as a shape: an interval for each. With it shapes resolve through sub-graphs
// like ShapeOf -> Gather -> Concat -> Reshape.
#ifndef DOVETAIL_CORE_GRAPH_VALUE_RANGE_H_
#define DOVETAIL_CORE_GRAPH_VALUE_RANGE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Elements in C order; the tensor's shape is with the port. Bounds are doubles:
// exact for integers up to 2^53, and what lies beyond is only ever "to the
// end".
class ValueRange {
 public:
  // Tensors with more elements are not tracked.
  static constexpr int64_t kMaxElements = 1024;

  struct Interval {
    double lower, upper;
    bool is_exact() const { return lower == upper; }
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  ValueRange() = default;
  explicit ValueRange(std::vector<Interval> elements)
      : elements_(std::move(elements)) {}
  static ValueRange Exact(const std::vector<double>& values);
  // The range of a tensor's elements; nothing for too large or string tensors.
  static std::optional<ValueRange> OfTensor(const Tensor& tensor);
  // The extents of a shape whose rank is known, as ShapeOf gives them.
  static ValueRange OfShape(const PartialShape& shape);

  int64_t size() const { return static_cast<int64_t>(elements_.size()); }
  const Interval& operator[](int64_t i) const { return elements_[i]; }
  const std::vector<Interval>& elements() const { return elements_; }
  bool is_exact() const;  // every element is

  // The elements as integers, when exact (2^63 and beyond saturate).
  std::optional<std::vector<int64_t>> ToInt64() const;
  // The elements as extents of a shape. An interval below 0 becomes unknown.
  PartialShape ToPartialShape() const;

  friend bool operator==(const ValueRange&, const ValueRange&) = default;

 private:
  std::vector<Interval> elements_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_VALUE_RANGE_H_
