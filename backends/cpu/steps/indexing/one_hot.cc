#include "dovetail/backends/cpu/steps/indexing/one_hot.h"

#include <algorithm>
#include <memory>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/common/kernels/indexing/one_hot.h"
#include "dovetail/backends/cpu/steps/common/index_type.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/indexing/ordering/one_hot.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kBytesAtATime = 1 << 16;

class OneHotStep : public Step {
 public:
  OneHotStep(const host::OneHotShape& shape, bool is_i64)
      : shape_(shape), is_i64_(is_i64) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t row_bytes = shape_.depth * shape_.inner * shape_.element_size;
    ParallelFor(run.environment->team(), shape_.outer,
                kBytesAtATime / row_bytes + 1, [&](int64_t begin, int64_t end) {
                  host::OneHot(shape_, {run.inputs[0], is_i64_}, run.inputs[1],
                               run.inputs[2], run.outputs[0], begin, end);
                });
    return absl::OkStatus();
  }

 private:
  const host::OneHotShape shape_;
  const bool is_i64_;
};

bool CountsFromEnd(const Node& node) {
  const auto* attributes = node.As<OneHot16Attributes>();
  return attributes != nullptr &&
         attributes->negative_indices_mode == NegativeIndices::kNormalize;
}

}  // namespace

absl::StatusOr<bool> EmitOneHot(const Node& node, PlanBuilder& builder) {
  const Value output = PlanBuilder::OutputOf(node);
  const ElementType index = node.input(0).type();
  const Shape shape = PlanBuilder::ShapeOf(output);
  if (!IsCopied(output.type()) || shape.Count() == 0 || !IsIndex(index)) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(OneHotAxis(node), shape.rank()));
  const host::OneHotShape one_hot = {
      .outer = shape.Count(0, axis),
      .depth = shape[axis],
      .inner = shape.Count(axis + 1, shape.rank()),
      .element_size = BitWidth(output.type()) / 8,
      .from_end = CountsFromEnd(node)};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand indices,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand on, builder.ReadPlain(node.input(2)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand off,
                            builder.ReadPlain(node.input(3)));
  builder.Add(node, "one_hot",
              std::make_unique<OneHotStep>(one_hot, index == ElementType::kI64),
              {indices, on, off}, {builder.WritePlain(output)});
  return true;
}

}  // namespace dovetail::cpu
