// The scales and zero points of compressed weights, one for each column of a
// group of rows.
#ifndef DOVETAIL_BACKENDS_COMMON_LINEAR_GROUP_NUMBERS_H_
#define DOVETAIL_BACKENDS_COMMON_LINEAR_GROUP_NUMBERS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

namespace dovetail {

struct GroupNumbers {
  Tensor numbers;  // f32
  int64_t group_stride = 0, column_stride = 0;

  float At(int64_t group, int64_t column) const {
    return numbers.data<float>()[group * group_stride + column * column_stride];
  }
  // Whether all are one number.
  bool AreEqual() const;
};

// Of the second factor of a MatMul that does or does not transpose it; 1 where
// there are no scales.
absl::StatusOr<GroupNumbers> ScalesOf(const CompressedWeights& weights,
                                      bool transposed);
// Zero points plus `offset`; 0 where there are none.
absl::StatusOr<GroupNumbers> ZeroPointsOf(const CompressedWeights& weights,
                                          bool transposed, float offset = 0);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LINEAR_GROUP_NUMBERS_H_
