// Orders of axes as Transpose takes them: axis i of what it gives is axis
// order[i] of what it takes.
#ifndef DOVETAIL_CORE_TENSOR_SHAPES_AXIS_ORDER_H_
#define DOVETAIL_CORE_TENSOR_SHAPES_AXIS_ORDER_H_

#include <cstddef>

namespace dovetail {

// The order that takes axes back to where they were, of a vector of integers
// that is a permutation of 0, 1, ….
template <typename Order>
Order InverseOrder(const Order& order) {
  Order inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    inverse[order[i]] = static_cast<typename Order::value_type>(i);
  }
  return inverse;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_SHAPES_AXIS_ORDER_H_
