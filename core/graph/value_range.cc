#include "dovetail/core/graph/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// To an integer; beyond its range to its end. Not for NaN.
int64_t Saturate(double value) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (value >= kEnd) return std::numeric_limits<int64_t>::max();
  if (value < -kEnd) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

ValueRange::Interval OfElement(double value) {
  // Not a number may be used as any number.
  if (std::isnan(value)) return {-kInfinity, kInfinity};
  return {value, value};
}

Dimension ToDimension(const ValueRange::Interval& interval) {
  if (!(interval.lower >= 0) || !(interval.upper >= interval.lower)) {
    return Dimension::Unknown();
  }
  return Dimension(Saturate(std::floor(interval.lower)),
                   Saturate(std::ceil(interval.upper)));
}

}  // namespace

ValueRange ValueRange::Exact(const std::vector<double>& values) {
  std::vector<Interval> elements;
  elements.reserve(values.size());
  for (double value : values) elements.push_back(OfElement(value));
  return ValueRange(std::move(elements));
}

std::optional<ValueRange> ValueRange::OfTensor(const Tensor& tensor) {
  if (!tensor.has_data() || tensor.type() == ElementType::kString ||
      tensor.element_count() > kMaxElements) {
    return std::nullopt;
  }
  return Exact(ToDoubleVector(tensor));
}

ValueRange ValueRange::OfShape(const PartialShape& shape) {
  std::vector<Interval> elements;
  for (const Dimension& dim : shape) {
    elements.push_back({static_cast<double>(dim.min()),
                        dim.max() == Dimension::kInfinity
                            ? kInfinity
                            : static_cast<double>(dim.max())});
  }
  return ValueRange(std::move(elements));
}

bool ValueRange::is_exact() const {
  return std::all_of(elements_.begin(), elements_.end(),
                     [](const Interval& i) { return i.is_exact(); });
}

std::optional<std::vector<int64_t>> ValueRange::ToInt64() const {
  if (!is_exact()) return std::nullopt;
  std::vector<int64_t> values;
  values.reserve(elements_.size());
  for (const Interval& element : elements_) {
    values.push_back(Saturate(element.lower));
  }
  return values;
}

PartialShape ValueRange::ToPartialShape() const {
  std::vector<Dimension> dims;
  dims.reserve(elements_.size());
  for (const Interval& element : elements_) {
    dims.push_back(ToDimension(element));
  }
  return PartialShape(std::move(dims));
}

}  // namespace dovetail
