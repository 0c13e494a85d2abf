// The operations that make one element of all elements along some axes.
#ifndef DOVETAIL_CORE_OPS_REDUCTION_REDUCE_H_
#define DOVETAIL_CORE_OPS_REDUCTION_REDUCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct ReduceAttributes : public AttributesOf<ReduceAttributes> {
  bool keep_dims = false;  // whether the axes stay, with extent 1
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("keep_dims", keep_dims);
  }
};

// Which of `rank` axes a list names: one flag an axis. An axis may be there
// twice; a scalar has the axes 0 and -1. kOutOfRange for others.
absl::StatusOr<std::vector<bool>> ReducedAxes(const std::vector<int64_t>& axes,
                                              int rank);

// Inputs: data, axes (a scalar or a vector; without elements each element of
// the data is reduced on its own). Where the name says which operation it is,
// known elements are reduced, too.
absl::Status InferReduce(InferContext& context);
absl::Status InferReduceSum(InferContext& context);
absl::Status InferReduceMean(InferContext& context);
absl::Status InferReduceProd(InferContext& context);
absl::Status InferReduceMax(InferContext& context);
absl::Status InferReduceMin(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_REDUCTION_REDUCE_H_
