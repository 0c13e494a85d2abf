#include "dovetail/core/tensor/shapes/partial_shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail {
namespace {

void AppendDimension(std::string* out, const Dimension& dim) {
  out->append(dim.ToString());
}

// One axis of a NumPy broadcast: an extent of 1 takes the other's.
std::optional<Dimension> BroadcastDimension(const Dimension& a,
                                            const Dimension& b) {
  const bool a_broadcasts = a.Contains(1);
  const bool b_broadcasts = b.Contains(1);
  if (a_broadcasts && b_broadcasts) {
    // An extent that is surely 1 leaves the other alone.
    if (a == Dimension(1)) return b;
    if (b == Dimension(1)) return a;
    return Union(a, b);
  }
  // Where `a` is not 1 it has to equal `b`, so the answer is `b` all the same.
  if (a_broadcasts) return b;
  if (b_broadcasts) return a;
  return Intersect(a, b);
}

}  // namespace

PartialShape::PartialShape(const Shape& shape)
    : rank_known_(true), dims_(shape.begin(), shape.end()) {}

PartialShape PartialShape::OfRank(int rank) {
  return PartialShape(std::vector<Dimension>(rank));
}

bool PartialShape::is_static() const {
  return rank_known_ &&
         std::all_of(begin(), end(),
                     [](const Dimension& dim) { return dim.is_static(); });
}

absl::StatusOr<Shape> PartialShape::ToShape() const {
  if (is_dynamic()) {
    return absl::FailedPreconditionError(
        absl::StrCat("shape ", ToString(), " is not known entirely"));
  }
  Shape shape;
  for (const Dimension& dim : dims_) shape.push_back(dim.value());
  return shape;
}

std::vector<int64_t> PartialShape::MinDims() const {
  std::vector<int64_t> dims;
  for (const Dimension& dim : dims_) dims.push_back(dim.min());
  return dims;
}

bool PartialShape::Contains(const Shape& shape) const {
  if (!rank_known_) return true;
  return std::equal(begin(), end(), shape.begin(), shape.end(),
                    [](const Dimension& dim, int64_t extent) {
                      return dim.Contains(extent);
                    });
}

bool PartialShape::Compatible(const PartialShape& other) const {
  return Intersect(*this, other).has_value();
}

Dimension PartialShape::ElementCount() const {
  if (!rank_known_) return Dimension::Unknown();
  Dimension count = 1;
  for (const Dimension& dim : dims_) count = count * dim;
  return count;
}

std::string PartialShape::ToString() const {
  if (!rank_known_) return "[...]";
  return absl::StrCat("[", absl::StrJoin(dims_, ",", AppendDimension), "]");
}

std::ostream& operator<<(std::ostream& out, const PartialShape& shape) {
  return out << shape.ToString();
}

std::optional<PartialShape> Intersect(const PartialShape& a,
                                      const PartialShape& b) {
  if (!a.rank_known()) return b;
  if (!b.rank_known()) return a;
  if (a.rank() != b.rank()) return std::nullopt;
  PartialShape result = a;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const std::optional<Dimension> dim = Intersect(a[axis], b[axis]);
    if (!dim.has_value()) return std::nullopt;
    result[axis] = *dim;
  }
  return result;
}

PartialShape Union(const PartialShape& a, const PartialShape& b) {
  if (!a.rank_known() || !b.rank_known() || a.rank() != b.rank()) {
    return PartialShape::DynamicRank();
  }
  PartialShape result = a;
  for (int axis = 0; axis < a.rank(); ++axis) {
    result[axis] = Union(a[axis], b[axis]);
  }
  return result;
}

std::optional<PartialShape> BroadcastNumpy(const PartialShape& a,
                                           const PartialShape& b) {
  if (!a.rank_known() || !b.rank_known()) return PartialShape::DynamicRank();
  if (a.rank() < b.rank()) return BroadcastNumpy(b, a);
  PartialShape result = a;
  const int lead = a.rank() - b.rank();
  for (int axis = lead; axis < a.rank(); ++axis) {
    const std::optional<Dimension> dim =
        BroadcastDimension(a[axis], b[axis - lead]);
    if (!dim.has_value()) return std::nullopt;
    result[axis] = *dim;
  }
  return result;
}

}  // namespace dovetail
