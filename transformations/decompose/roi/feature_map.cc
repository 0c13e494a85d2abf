#include "dovetail/transformations/decompose/roi/feature_map.h"

#include <vector>

namespace dovetail {

FeatureMap::FeatureMap(NodeBuilder& b, Value features)
    : b_(b),
      row_count_(b.Dim(features, 2)),
      column_count_(b.Dim(features, 3)) {
  height_ = b.Convert(row_count_, ElementType::kF32);
  width_ = b.Convert(column_count_, ElementType::kF32);
  const Value elements =
      b.Product(b.Concat({b.Dim(features, 0), row_count_, column_count_}));
  rows_ = b.Reshape(b.Transpose(features, {0, 2, 3, 1}),
                    b.Concat({elements, b.Dim(features, 1)}));
}

FeatureMap::Between FeatureMap::Around(Value position, Value extent,
                                       Value counts) const {
  const Value last = b_.Subtract(b_.Convert(extent, ElementType::kF32), 1.0);
  // NaN does not count, and is no index either.
  const Value number = b_.Select(counts, position, 0.0);
  const Value inside = b_.Minimum(b_.Maximum(number, 0.0), last);
  const Value low = b_.Make("Floor", {inside});
  const Value low_index = b_.Convert(low, ElementType::kI64);
  const Value high_index =
      b_.Minimum(b_.Add(low_index, 1.0), b_.Subtract(extent, 1.0));
  return {low_index, high_index, b_.Subtract(inside, low)};
}

Value FeatureMap::Rows(Value images, Value y, Value x) const {
  const Value row = b_.Add(b_.Multiply(images, row_count_), y);
  return b_.Gather(rows_, b_.Add(b_.Multiply(row, column_count_), x), 0);
}

Value FeatureMap::Mix(Value a, Value b, Value weight) const {
  const auto behind = [&](Value w) {
    return b_.Unsqueeze(b_.Convert(w, rows_.type()), {-1});
  };
  return b_.Add(b_.Multiply(a, behind(b_.Subtract(1.0, weight))),
                b_.Multiply(b, behind(weight)));
}

Value FeatureMap::At(Value images, Value y, Value x, Value counts) const {
  const Between rows = Around(y, row_count_, counts);
  const Between columns = Around(x, column_count_, counts);
  const auto along = [&](Value row) {
    return Mix(Rows(images, row, columns.low), Rows(images, row, columns.high),
               columns.high_weight);
  };
  const Value mixed = Mix(along(rows.low), along(rows.high), rows.high_weight);
  return b_.Select(b_.Unsqueeze(counts, {-1}), mixed, 0.0);
}

Value Steps(NodeBuilder& b, int64_t count, double offset) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<double>(i) + offset);
  }
  const auto tensor =
      Tensor::FromDoubles(ElementType::kF32, Shape({count}), values);
  b.Update(tensor.status());
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

}  // namespace dovetail
