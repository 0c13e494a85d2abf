#include "dovetail/testing/conformance/mutation/special_values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "dovetail/core/base/checked_math.h"

namespace dovetail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

const std::vector<int64_t>& Integers() {
  static const auto* const integers = new std::vector<int64_t>{
      0,       1,           -1,         2,          -2,
      3,       -3,          4,          5,          7,
      8,       16,          31,         32,         33,
      63,      64,          65,         100,        127,
      128,     255,         256,        -128,       1000,
      65535,   65536,       -65536,     1 << 20,    2147483647,
      -2147483648,          2147483648, 4294967295, 4294967296,
      int64_t{1} << 40,     -(int64_t{1} << 40),    int64_t{1} << 53,
      int64_t{1} << 61,     int64_t{1} << 62,       -(int64_t{1} << 62),
      kMax,    kMax - 1,    kMax / 2,   kMin,       kMin + 1};
  return *integers;
}

const std::vector<double>& Numbers() {
  using Limits = std::numeric_limits<double>;
  static const auto* const numbers = new std::vector<double>{
      Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
      -0.0,    0.5,     -0.5,    1.5,       0.999999,  1.000001,
      1e-3,    1e-10,   1e-30,   -1e-30,    1e-40,     1e-310,
      1e5,     -1e5,    65504,   65520,     1e10,      -1e10,
      1e19,    -1e19,   3e38,    -3e38,     3.5e38,    1e300,
      Limits::max(),    Limits::lowest(),   Limits::min()};
  return *numbers;
}

}  // namespace

int64_t SpecialInteger(Random& random, const std::vector<int64_t>& extents) {
  if (extents.empty() || random.OneIn(2)) return random.Of(Integers());
  // Extents of partial shapes may be infinite.
  const int64_t near = std::clamp<int64_t>(random.Of(extents), 0, kMax / 4) +
                       static_cast<int64_t>(random.Below(3)) - 1;
  return random.OneIn(2) ? near : -near;
}

double SpecialNumber(Random& random, const std::vector<int64_t>& extents) {
  if (random.OneIn(2)) return random.Of(Numbers());
  return static_cast<double>(SpecialInteger(random, extents));
}

std::string SpecialText(Random& random, const std::string& text) {
  static const auto* const texts = new std::vector<std::string>{
      "",   "x",    " ",  "a,b->ab", "...",         "->",
      ",",  "\xff", "ii", "...i->i", "NaN",         std::string(1, '\0'),
      "-1", "(",    "[",  "\\",      std::string(5000, 'a')};
  static constexpr char kLetters[] = "abcijk.,->AZ 09\xc3\\*+?[](){}|^$\n";
  std::string changed = text;
  const size_t at = random.Below(changed.size() + 1);
  switch (random.Below(5)) {
    case 0:
      return random.Of(*texts);
    case 1:
      if (at < changed.size()) changed.erase(at, 1 + random.Below(3));
      return changed;
    case 2:
      return changed + changed;
    default:
      changed.insert(at, 1 + random.Below(3),
                     kLetters[random.Below(sizeof(kLetters) - 1)]);
      return changed;
  }
}

ElementType SpecialType(Random& random) {
  if (random.OneIn(20)) return ElementType::kDynamic;
  return random.Of(AllElementTypes());
}

namespace {

void ChangeShape(Random& random, Shape* shape) {
  const auto axis = static_cast<int>(random.Below(shape->size()));
  switch (random.Below(12)) {
    case 0:
      *shape = Shape();
      return;
    case 1:
      // More axes than anyone counts on.
      while (shape->rank() < 40) shape->push_back(1);
      return;
    case 2:
      shape->push_back(1 + static_cast<int64_t>(random.Below(3)));
      return;
    case 3:
      shape->insert(0, 1 + static_cast<int64_t>(random.Below(3)));
      return;
    default:
      break;
  }
  if (shape->empty()) return;
  const auto other = static_cast<int>(random.Below(shape->size()));
  switch (random.Below(8)) {
    case 0:
      return shape->erase(axis);
    case 1:
    case 2:
      (*shape)[axis] = 0;
      return;
    case 3:
      (*shape)[axis] = 1;
      return;
    case 4:
      (*shape)[axis] += 1;
      return;
    case 5:
      (*shape)[axis] = std::max<int64_t>(0, (*shape)[axis] - 1);
      return;
    case 6:
      std::swap((*shape)[axis], (*shape)[other]);
      return;
    default:
      (*shape)[axis] = static_cast<int64_t>(random.Below(300));
  }
}

}  // namespace

Shape SpecialShape(Random& random, Shape shape, int64_t max_elements) {
  for (size_t i = 1 + random.Below(3); i > 0; --i) ChangeShape(random, &shape);
  // Where there are no elements, an extent may be anything.
  const auto zero = std::find(shape.begin(), shape.end(), 0);
  if (zero != shape.end() && random.OneIn(4)) {
    const int64_t extent = std::max<int64_t>(0, SpecialInteger(random, {}));
    shape.insert(static_cast<int>(random.Below(shape.size() + 1)), extent);
    if (random.OneIn(2)) {
      shape.erase(static_cast<int>(random.Below(shape.size())));
    }
  }
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape.ElementCount().value_or(kMax) <= max_elements) break;
    shape[axis] = std::min<int64_t>(shape[axis], 2);
  }
  return shape.ElementCount().value_or(kMax) <= max_elements ? shape : Shape();
}

PartialShape SpecialPartialShape(Random& random, const PartialShape& shape) {
  if (random.OneIn(16)) return PartialShape::DynamicRank();
  if (random.OneIn(8)) {
    return PartialShape::OfRank(static_cast<int>(random.Below(9)));
  }
  std::vector<Dimension> dims;
  if (shape.rank_known()) dims = shape.dims();
  for (Dimension& dim : dims) {
    const int64_t a = std::max<int64_t>(0, SpecialInteger(random, {}));
    const int64_t b = std::max<int64_t>(0, SpecialInteger(random, {}));
    switch (random.Below(10)) {
      case 0:
        dim = Dimension();
        break;
      case 1:
        dim = Dimension(a, a);
        break;
      case 2:
        dim = Dimension(std::min(a, b), std::max(a, b));
        break;
      case 3:
        dim = Dimension(a, Dimension::kInfinity);
        break;
      case 4:
        dim = Dimension(dim.min(), std::max(a, dim.max()));
        break;
      default:
        break;
    }
  }
  if (random.OneIn(8)) dims.emplace_back();
  if (random.OneIn(8) && !dims.empty()) dims.pop_back();
  return PartialShape(std::move(dims));
}

PartialShape LessKnown(Random& random, PartialShape shape) {
  if (!shape.rank_known() || random.OneIn(4)) return PartialShape();
  const bool all = random.OneIn(2);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!all && random.OneIn(2)) continue;
    const Dimension& known = shape[axis];
    shape[axis] =
        random.OneIn(2)
            ? Dimension()
            : Dimension(known.min() - known.min() / 2,
                        CheckedAdd(known.max(), 3).value_or(
                            Dimension::kInfinity));
  }
  return shape;
}

}  // namespace dovetail
