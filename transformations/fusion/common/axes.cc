#include "dovetail/transformations/fusion/common/axes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

bool IsPermutation(const AxisOrder& order) {
  std::vector<bool> seen(order.size(), false);
  for (int64_t axis : order) {
    const bool is_axis = axis >= 0 && axis < static_cast<int64_t>(order.size());
    if (!is_axis || seen[axis]) return false;
    seen[axis] = true;
  }
  return true;
}

}  // namespace

// No order at all means the axes reversed.
std::optional<AxisOrder> OrderOf(const Node& transpose) {
  auto order = ConstantInts(transpose.input(1));
  const PartialShape& shape = transpose.input(0).shape();
  if (!order.has_value() || !shape.rank_known()) return std::nullopt;
  if (order->empty()) {
    order->resize(shape.rank());
    std::iota(order->rbegin(), order->rend(), 0);
  }
  const bool is_valid =
      static_cast<int>(order->size()) == shape.rank() && IsPermutation(*order);
  return is_valid ? order : std::nullopt;
}

bool IsInOrder(const AxisOrder& order) {
  return std::is_sorted(order.begin(), order.end());
}

AxisOrder Composed(const AxisOrder& first, const AxisOrder& then) {
  AxisOrder both;
  for (int64_t axis : then) both.push_back(first[axis]);
  return both;
}

AxisOrder LastTwoSwapped(int rank) {
  AxisOrder order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

}  // namespace dovetail
