#include "dovetail/core/tensor/shapes/shape.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail {

Shape Shape::Filled(int rank, int64_t value) {
  Shape shape;
  shape.resize(rank, value);
  return shape;
}

absl::StatusOr<int64_t> Shape::ElementCount() const {
  if (std::any_of(begin(), end(), [](int64_t dim) { return dim < 0; })) {
    return absl::InvalidArgumentError(
        absl::StrCat("shape ", ToString(), " has a negative extent"));
  }
  // Whatever the others are: their product alone might overflow.
  if (std::find(begin(), end(), 0) != end()) return 0;
  std::optional<int64_t> count = 1;
  for (int64_t dim : dims_) {
    count = CheckedMultiply(*count, dim);
    if (!count.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ToString(), " has too many elements"));
    }
  }
  return *count;
}

int64_t Shape::Count(int begin, int end) const {
  int64_t count = 1;
  for (int axis = begin; axis < end; ++axis) {
    // Part of a checked shape can overflow yet, when another extent is 0.
    count = CheckedMultiply(count, dims_[axis])
                .value_or(std::numeric_limits<int64_t>::max());
  }
  return count;
}

std::string Shape::ToString() const {
  return absl::StrCat("[", absl::StrJoin(dims_, ","), "]");
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.ToString();
}

absl::StatusOr<int> NormalizeAxis(int64_t axis, int rank,
                                  bool scalar_as_vector) {
  const int axes = rank == 0 && scalar_as_vector ? 1 : rank;
  if (axis < -axes || axis >= axes) {
    return absl::OutOfRangeError(
        absl::StrCat("axis ", axis, " of a tensor of rank ", rank));
  }
  return static_cast<int>(axis < 0 ? axis + axes : axis);
}

}  // namespace dovetail
