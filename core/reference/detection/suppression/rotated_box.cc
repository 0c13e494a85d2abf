#include "dovetail/core/reference/detection/suppression/rotated_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace dovetail {
namespace {

struct Point {
  double x, y;
};

// A convex polygon: what is left of a rectangle after at most four cuts, each
// of which adds at most one corner.
class Polygon {
 public:
  void Add(const Point& corner) {
    if (size_ < corners_.size()) corners_[size_++] = corner;
  }

  // The part on the left of the line from `a` to `b`, after Sutherland and
  // Hodgman, "Reentrant polygon clipping" (1974).
  Polygon LeftOf(const Point& a, const Point& b) const {
    const auto side = [&](const Point& p) {
      return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    };
    Polygon part;
    for (size_t i = 0; i < size_; ++i) {
      const Point& from = corners_[i];
      const Point& to = corners_[(i + 1) % size_];
      const double from_side = side(from), to_side = side(to);
      if (from_side >= 0) part.Add(from);
      if ((from_side > 0 && to_side < 0) || (from_side < 0 && to_side > 0)) {
        const double t = from_side / (from_side - to_side);
        part.Add({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
      }
    }
    return part;
  }

  double Area() const {
    double twice = 0;
    for (size_t i = 0; i < size_; ++i) {
      const Point& p = corners_[i];
      const Point& q = corners_[(i + 1) % size_];
      twice += p.x * q.y - p.y * q.x;
    }
    return std::fabs(twice) / 2;
  }

 private:
  std::array<Point, 12> corners_;
  size_t size_ = 0;
};

// The corners around, with (x, y) as origin, so that boxes far from 0 lose
// nothing.
std::array<Point, 4> CornersOf(const RotatedBox& box, double x, double y) {
  static constexpr double kSigns[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double cos = std::cos(static_cast<double>(box.angle));
  const double sin = std::sin(static_cast<double>(box.angle));
  std::array<Point, 4> corners;
  for (size_t i = 0; i < 4; ++i) {
    const double u = kSigns[i][0] * box.width / 2;
    const double v = kSigns[i][1] * box.height / 2;
    corners[i] = {box.x - x + u * cos - v * sin, box.y - y + u * sin + v * cos};
  }
  return corners;
}

}  // namespace

float RotatedOverlap(const RotatedBox& a, const RotatedBox& b) {
  // Written so that NaN has no area.
  if (!(a.width > 0) || !(a.height > 0) || !(b.width > 0) || !(b.height > 0)) {
    return 0;
  }
  const double area_a = static_cast<double>(a.width) * a.height;
  const double area_b = static_cast<double>(b.width) * b.height;
  Polygon common;
  for (const Point& corner : CornersOf(a, a.x, a.y)) common.Add(corner);
  const std::array<Point, 4> cuts = CornersOf(b, a.x, a.y);
  for (size_t i = 0; i < 4; ++i) {
    common = common.LeftOf(cuts[i], cuts[(i + 1) % 4]);
  }
  const double area = common.Area();
  const double overlap = area / (area_a + area_b - area);
  return overlap > 0 ? static_cast<float>(std::min(overlap, 1.0)) : 0.0f;
}

}  // namespace dovetail
