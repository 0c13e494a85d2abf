#include "dovetail/core/ops/reduction/table.h"

#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo Row(absl::string_view type, int version, int first_opset,
                     InferFn infer) {
  return {type,
          version,
          type,
          OpsetRange::Since(first_opset),
          {2, 2},
          {1, 1},
          &MakeAttributes<ReduceAttributes>,
          infer};
}

const OpInfo kRows[] = {
    Row("ReduceL1", 4, 4, &InferReduce),
    Row("ReduceL2", 4, 4, &InferReduce),
    Row("ReduceLogicalAnd", 1, 1, &InferReduceLogical),
    Row("ReduceLogicalOr", 1, 1, &InferReduceLogical),
    Row("ReduceMax", 1, 1, &InferReduceMax),
    Row("ReduceMean", 1, 1, &InferReduce),
    Row("ReduceMin", 1, 1, &InferReduceMin),
    Row("ReduceProd", 1, 1, &InferReduceProd),
    Row("ReduceSum", 1, 1, &InferReduceSum),
};

}  // namespace

absl::Span<const OpInfo> ReductionOps() { return kRows; }

}  // namespace dovetail
