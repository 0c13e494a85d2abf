// The extents of a tensor as far as they are known: intervals for dimensions,
// and perhaps not even the rank.
#ifndef DOVETAIL_CORE_TENSOR_SHAPES_PARTIAL_SHAPE_H_
#define DOVETAIL_CORE_TENSOR_SHAPES_PARTIAL_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// An extent between `min` and `max`, both included; kInfinity for no upper
// bound. All arithmetic on intervals saturates and never goes below 0.
class Dimension {
 public:
  static constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();

  Dimension() : min_(0), max_(kInfinity) {}  // unknown
  Dimension(int64_t value);                  // NOLINT: -1 is unknown
  Dimension(int64_t min, int64_t max) : min_(min), max_(max) {}
  static Dimension Unknown() { return Dimension(); }

  int64_t min() const { return min_; }
  int64_t max() const { return max_; }
  bool is_static() const { return min_ == max_; }
  bool is_dynamic() const { return min_ != max_; }
  int64_t value() const { return min_; }  // of a static dimension

  bool Contains(int64_t value) const { return min_ <= value && value <= max_; }
  // Whether some extent satisfies both.
  bool Compatible(const Dimension& other) const {
    return min_ <= other.max_ && other.min_ <= max_;
  }

  // "3", "?", "1..8", "4.."
  std::string ToString() const;

  friend bool operator==(const Dimension& a, const Dimension& b) {
    return a.min_ == b.min_ && a.max_ == b.max_;
  }
  friend bool operator!=(const Dimension& a, const Dimension& b) {
    return !(a == b);
  }

 private:
  int64_t min_, max_;
};

Dimension operator+(const Dimension& a, const Dimension& b);
Dimension operator-(const Dimension& a, const Dimension& b);
Dimension operator*(const Dimension& a, const Dimension& b);
// Floor and ceiling of an interval over a positive number.
Dimension FloorDivide(const Dimension& a, int64_t b);
Dimension CeilDivide(const Dimension& a, int64_t b);
// The interval in both; nothing when there is none.
std::optional<Dimension> Intersect(const Dimension& a, const Dimension& b);
// The smallest interval that holds both.
Dimension Union(const Dimension& a, const Dimension& b);

class PartialShape {
 public:
  // Default: dynamic rank, anything at all.
  PartialShape() = default;
  PartialShape(std::initializer_list<Dimension> dims)
      : rank_known_(true), dims_(dims) {}
  explicit PartialShape(std::vector<Dimension> dims)
      : rank_known_(true), dims_(std::move(dims)) {}
  PartialShape(const Shape& shape);  // NOLINT: a shape is a partial shape
  static PartialShape DynamicRank() { return PartialShape(); }
  // `rank` unknown dimensions.
  static PartialShape OfRank(int rank);

  bool rank_known() const { return rank_known_; }
  // Number of dimensions; call only when rank_known().
  int rank() const { return static_cast<int>(dims_.size()); }
  bool is_static() const;
  bool is_dynamic() const { return !is_static(); }
  const Dimension& operator[](int axis) const { return dims_[axis]; }
  Dimension& operator[](int axis) { return dims_[axis]; }
  const std::vector<Dimension>& dims() const { return dims_; }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }
  // Appends a dimension when rank_known(); a dynamic rank stays dynamic, so
  // start from OfRank(0) to collect dimensions.
  void push_back(const Dimension& dim) {
    if (rank_known_) dims_.push_back(dim);
  }

  // The shape, when every dimension is known. kFailedPrecondition names the
  // partial shape otherwise.
  absl::StatusOr<Shape> ToShape() const;
  // The least shape.
  std::vector<int64_t> MinDims() const;

  // Whether a tensor of that shape fits, and whether some shape fits both.
  bool Contains(const Shape& shape) const;
  bool Compatible(const PartialShape& other) const;
  // Interval number of elements, [0, infinity] when the rank is not known.
  Dimension ElementCount() const;

  // "[1,3,?,1..8]", "[]" for a scalar, "[...]" for dynamic rank.
  std::string ToString() const;
  // What ToString gives and what an IR holds: brackets optional, "?" and "-1"
  // for unknown, "a..b", "a..", "..b", "..." for dynamic rank, "" for a scalar.
  // kInvalidArgument shows the text and what is wrong in it.
  static absl::StatusOr<PartialShape> Parse(absl::string_view text);

  friend bool operator==(const PartialShape& a, const PartialShape& b) {
    return a.rank_known_ == b.rank_known_ && a.dims_ == b.dims_;
  }
  friend bool operator!=(const PartialShape& a, const PartialShape& b) {
    return !(a == b);
  }
  friend std::ostream& operator<<(std::ostream& out, const PartialShape& shape);

 private:
  bool rank_known_ = false;
  std::vector<Dimension> dims_;
};

// What both say together; nothing when they contradict each other.
std::optional<PartialShape> Intersect(const PartialShape& a,
                                      const PartialShape& b);
// What holds for both: dimensions joined; dynamic rank when ranks differ.
PartialShape Union(const PartialShape& a, const PartialShape& b);
// NumPy broadcast; nothing when the shapes do not fit.
std::optional<PartialShape> BroadcastNumpy(const PartialShape& a,
                                           const PartialShape& b);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_SHAPES_PARTIAL_SHAPE_H_
