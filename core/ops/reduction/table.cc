#include "dovetail/core/ops/reduction/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo Row(absl::string_view type, int version, int first_opset,
                     InferFn infer, OpTypes types) {
  return {type,
          version,
          type,
          OpsetRange::Since(first_opset),
          {2, 2},
          {1, 1},
          &MakeAttributes<ReduceAttributes>,
          infer,
          types};
}

const OpInfo kRows[] = {
    Row("ReduceL1", 4, 4, &InferReduce, kAnyNumeric),
    Row("ReduceL2", 4, 4, &InferReduce, kAnyNumeric),
    Row("ReduceLogicalAnd", 1, 1, &InferReduce, kBooleanType),
    Row("ReduceLogicalOr", 1, 1, &InferReduce, kBooleanType),
    Row("ReduceMax", 1, 1, &InferReduceMax, kAnyNumeric),
    Row("ReduceMean", 1, 1, &InferReduceMean, kAnyNumeric),
    Row("ReduceMin", 1, 1, &InferReduceMin, kAnyNumeric),
    Row("ReduceProd", 1, 1, &InferReduceProd, kAnyNumeric),
    Row("ReduceSum", 1, 1, &InferReduceSum, kAnyNumeric),
};

}  // namespace

absl::Span<const OpInfo> ReductionOps() { return kRows; }

}  // namespace dovetail
