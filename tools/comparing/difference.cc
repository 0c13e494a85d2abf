#include "dovetail/tools/comparing/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dovetail::comparing {
namespace {

constexpr double kLeastMagnitude = 1e-6;
constexpr double kLeastMark = 1e30;

double Distance(double want, double got) {
  if (want == got || (std::isnan(want) && std::isnan(got))) return 0;
  const double distance = std::fabs(want - got);
  return std::isfinite(distance) ? distance
                                 : std::numeric_limits<double>::infinity();
}

std::string Position(const Shape& shape, int64_t index) {
  Shape position = shape;
  for (int axis = shape.rank(); axis-- > 0;) {
    position[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return position.ToString();
}

std::string ProblemOf(const Tensor& want, const Tensor& got) {
  const bool both_floats = IsFloat(want.type()) && IsFloat(got.type());
  if (want.type() != got.type() && !both_floats) {
    return absl::StrCat("type ", ElementTypeName(got.type()), ", want ",
                        ElementTypeName(want.type()));
  }
  if (want.shape() != got.shape()) {
    return absl::StrCat("shape ", got.shape().ToString(), ", want ",
                        want.shape().ToString());
  }
  return want.type() == ElementType::kString ? "strings are not compared" : "";
}

// A value that stands for minus infinity, as attention masks have it: beside it
// all others would be nothing.
bool IsMark(double value) {
  return std::isfinite(value) && std::fabs(value) > kLeastMark;
}

double MagnitudeOf(const Tensor& tensor) {
  double magnitude = kLeastMagnitude;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = tensor.ElementAsDouble(i);
    if (!std::isfinite(value) || IsMark(value)) continue;
    magnitude = std::max(magnitude, std::fabs(value));
  }
  return magnitude;
}

// The indices of the greatest distances so far, the greatest first.
class WorstIndices {
 public:
  void Add(double distance, int64_t index) {
    if (worst_.size() == Difference::kPlaces &&
        distance <= worst_.back().first) {
      return;
    }
    const auto at = std::upper_bound(
        worst_.begin(), worst_.end(), distance,
        [](double value, const auto& entry) { return value > entry.first; });
    worst_.insert(at, {distance, index});
    if (worst_.size() > Difference::kPlaces) worst_.pop_back();
  }
  const std::vector<std::pair<double, int64_t>>& get() const { return worst_; }

 private:
  std::vector<std::pair<double, int64_t>> worst_;
};

}  // namespace

Difference Differ(const Tensor& want, const Tensor& got) {
  Difference difference;
  difference.problem = ProblemOf(want, got);
  if (!difference.problem.empty()) {
    difference.largest = difference.relative =
        std::numeric_limits<double>::infinity();
    return difference;
  }
  difference.count = want.element_count();
  const double magnitude = MagnitudeOf(want);
  WorstIndices worst;
  for (int64_t i = 0; i < difference.count; ++i) {
    const double a = want.ElementAsDouble(i);
    const double distance = Distance(a, got.ElementAsDouble(i));
    if (distance == 0) continue;
    ++difference.differing;
    difference.largest = std::max(difference.largest, distance);
    worst.Add(distance / (IsMark(a) ? std::fabs(a) : magnitude), i);
  }
  for (const auto& [relative, i] : worst.get()) {
    difference.relative = std::max(difference.relative, relative);
    difference.worst.push_back({Position(want.shape(), i),
                                want.ElementAsDouble(i),
                                got.ElementAsDouble(i)});
  }
  return difference;
}

}  // namespace dovetail::comparing
