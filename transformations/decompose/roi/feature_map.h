// Features [N, C, H, W], read at points between the elements.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_FEATURE_MAP_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_FEATURE_MAP_H_

#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

class FeatureMap {
 public:
  FeatureMap(NodeBuilder& b, Value features);

  // Extents as f32, vectors of one.
  Value height() const { return height_; }
  Value width() const { return width_; }

  // The bilinear interpolation of the four elements around each point, moved to
  // the nearest element when it lies outside of them, and 0 where it does not
  // count. Images are i64, positions f32, `counts` boolean; they are broadcast
  // to a common shape S, and the result is [S…, C].
  Value At(Value images, Value y, Value x, Value counts) const;

 private:
  // The elements before and after each position, and what the latter weighs.
  struct Between {
    Value low, high, high_weight;
  };
  Between Around(Value position, Value extent, Value counts) const;
  Value Rows(Value images, Value y, Value x) const;
  // a + weight * (b - a), as the sum of both.
  Value Mix(Value a, Value b, Value weight) const;

  NodeBuilder& b_;
  Value rows_;            // [N * H * W, C]
  Value height_, width_;  // f32
  Value row_count_, column_count_;  // i64
};

// 0, 1, … count - 1 plus `offset`, f32 [count].
Value Steps(NodeBuilder& b, int64_t count, double offset = 0);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_FEATURE_MAP_H_
