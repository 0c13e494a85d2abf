#include "dovetail/transformations/decompose/indexing/flat_index.h"

#include <algorithm>

namespace dovetail {

Value FromBeginning(NodeBuilder& b, Value indices, Value extent) {
  const Value index = b.Convert(indices, ElementType::kI64);
  return b.Select(b.Binary("Less", index, 0.0), b.Add(index, extent), index);
}

Value StrideOf(NodeBuilder& b, Value shape, int axis) {
  return b.Product(b.Slice(shape, 0, axis + 1, NodeBuilder::kEnd));
}

Value ElementNumbers(NodeBuilder& b, Value indices, Value data, int rank,
                     int axis) {
  const Value shape = b.ShapeOf(data);
  Value numbers = b.Multiply(FromBeginning(b, indices, b.Dim(data, axis)),
                             StrideOf(b, shape, axis));
  for (int i = 0; i < rank; ++i) {
    if (i == axis) continue;
    std::vector<int64_t> place(rank - i, 1);
    place[0] = -1;
    const Value counted = b.ReshapeTo(b.Counting(b.Dim(indices, i)), place);
    numbers = b.Add(numbers, b.Multiply(counted, StrideOf(b, shape, i)));
  }
  return numbers;
}

std::vector<int64_t> MoveAxis(int rank, int axis, int to) {
  std::vector<int64_t> order;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) order.push_back(i);
  }
  order.insert(order.begin() + to, axis);
  return order;
}

Value InOrder(NodeBuilder& b, Value x, const std::vector<int64_t>& order) {
  return std::is_sorted(order.begin(), order.end()) ? x
                                                    : b.Transpose(x, order);
}

}  // namespace dovetail
