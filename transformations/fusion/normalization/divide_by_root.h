// Quotients by roots, in the forms in which normalizations have them.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_DIVIDE_BY_ROOT_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_DIVIDE_BY_ROOT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

struct Root {
  enum class Eps {
    kInside,   // sqrt(under + eps)
    kOutside,  // sqrt(under) + eps
    kGreater,  // sqrt(max(under, eps))
  };
  Value under;
  double eps = 0;
  Eps place = Eps::kInside;
  Value radicand;  // all that is below the root sign; empty for kOutside
};

// `value` as a root or as the reciprocal of one, of nodes that nobody else
// reads.
std::optional<Root> RootOf(Value value);
std::optional<Root> InverseRootOf(Value value);

// of / root, as a quotient or as a product with the reciprocal.
struct DivideByRoot {
  Value of;
  Root root;
};
std::optional<DivideByRoot> DivideByRootOf(const Node& last);

// The input of a reduction ("ReduceMean") that keeps its axes, and these: from
// 0 on where the rank is known, in order.
struct Reduction {
  Value of;
  std::vector<int64_t> axes;
};
std::optional<Reduction> ReductionOf(Value value, OpType type);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_NORMALIZATION_DIVIDE_BY_ROOT_H_
