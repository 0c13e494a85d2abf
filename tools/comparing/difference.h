// How far apart two tensors are, and where.
#ifndef DOVETAIL_TOOLS_COMPARING_DIFFERENCE_H_
#define DOVETAIL_TOOLS_COMPARING_DIFFERENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/tensor/tensor.h"

namespace dovetail::comparing {

struct Place {
  std::string position;  // "[0,3,17]"
  double want = 0, got = 0;
};

struct Difference {
  static constexpr size_t kPlaces = 3;

  double largest = 0;  // of all elements; infinite where one has no number
  // The worst difference in parts of the greatest wanted magnitude; of values
  // above 1e30, such as the marks of attention masks, in parts of themselves.
  double relative = 0;
  int64_t differing = 0, count = 0;  // elements
  std::vector<Place> worst;          // at most kPlaces, the worst first
  std::string problem;               // types or shapes that differ; else empty
};

// Numbers and booleans; NaN equals NaN, and an infinity itself. Floats of
// different widths are compared by value. Wanted magnitudes below 1e-6 count as
// that, so that noise around 0 is small.
Difference Differ(const Tensor& want, const Tensor& got);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_DIFFERENCE_H_
