// Dimension, of partial_shape.h.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {
namespace {

constexpr int64_t kInfinity = Dimension::kInfinity;

// Bounds are never negative, so that an overflow is always upwards.
int64_t SaturatingAdd(int64_t a, int64_t b) {
  return CheckedAdd(a, b).value_or(kInfinity);
}
int64_t SaturatingMultiply(int64_t a, int64_t b) {
  return CheckedMultiply(a, b).value_or(kInfinity);
}

// A lower bound that saturated must not meet kInfinity, or the interval would
// pass for a static dimension.
Dimension Interval(int64_t min, int64_t max) {
  return Dimension(std::min(min, kInfinity - 1), max);
}

}  // namespace

Dimension::Dimension(int64_t value) : min_(value), max_(value) {
  if (value < 0 || value == kInfinity) *this = Dimension();
}

std::string Dimension::ToString() const {
  if (is_static()) return absl::StrCat(min_);
  if (max_ != kInfinity) return absl::StrCat(min_, "..", max_);
  return min_ == 0 ? "?" : absl::StrCat(min_, "..");
}

Dimension operator+(const Dimension& a, const Dimension& b) {
  return Interval(SaturatingAdd(a.min(), b.min()),
                  SaturatingAdd(a.max(), b.max()));
}

Dimension operator-(const Dimension& a, const Dimension& b) {
  const int64_t min = std::max<int64_t>(a.min() - b.max(), 0);
  if (a.max() == kInfinity) return Interval(min, kInfinity);
  return Interval(min, std::max<int64_t>(a.max() - b.min(), 0));
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  return Interval(SaturatingMultiply(a.min(), b.min()),
                  SaturatingMultiply(a.max(), b.max()));
}

Dimension FloorDivide(const Dimension& a, int64_t b) {
  return Dimension(a.min() / b,
                   a.max() == kInfinity ? kInfinity : a.max() / b);
}

Dimension CeilDivide(const Dimension& a, int64_t b) {
  return Dimension(CeilDivide(a.min(), b),
                   a.max() == kInfinity ? kInfinity : CeilDivide(a.max(), b));
}

std::optional<Dimension> Intersect(const Dimension& a, const Dimension& b) {
  if (!a.Compatible(b)) return std::nullopt;
  return Dimension(std::max(a.min(), b.min()), std::min(a.max(), b.max()));
}

Dimension Union(const Dimension& a, const Dimension& b) {
  return Dimension(std::min(a.min(), b.min()), std::max(a.max(), b.max()));
}

}  // namespace dovetail
