#include "dovetail/backends/vpu/simulator/sum_step.h"

#include <memory>
#include <vector>

#include "dovetail/backends/common/kernels/dense/half_rows.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/vpu/simulator/post_operations.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::vpu {
namespace {

class SumStep : public Step {
 public:
  SumStep(int64_t count, const host::HalfEpilogue& epilogue)
      : count_(count), epilogue_(epilogue) {}

  absl::Status Run(const StepRun& run) const override {
    constexpr int64_t kNumbersAtOnce = 1 << 14;
    ParallelFor(run.environment->team(), count_, kNumbersAtOnce,
                [&](int64_t begin, int64_t end) {
                  host::AddHalves(run.input<uint16_t>(0) + begin,
                                  run.input<uint16_t>(1) + begin, epilogue_,
                                  end - begin, run.output<uint16_t>() + begin);
                });
    return absl::OkStatus();
  }

 private:
  const int64_t count_;
  const host::HalfEpilogue epilogue_;
};

bool IsSum(const Node& node) {
  if (!node.Is("Add")) return false;
  const Value output = PlanBuilderBase::OutputOf(node);
  const Shape shape = PlanBuilderBase::ShapeOf(output);
  return output.type() == ElementType::kF16 && shape.Count() > 0 &&
         PlanBuilderBase::ShapeOf(node.input(0)) == shape &&
         PlanBuilderBase::ShapeOf(node.input(1)) == shape;
}

}  // namespace

absl::StatusOr<bool> AddSumStep(const Node& node, absl::string_view kernel,
                                PlanBuilderBase& builder) {
  if (!IsSum(node)) return false;
  PostOperations post(/*channels=*/1, /*axis=*/0);
  const PostOperations::Chain chain =
      post.TakeChain(PlanBuilderBase::OutputOf(node));
  DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand a,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand b,
                            builder.ReadPlain(node.input(1)));
  builder.Fuse(chain.nodes);
  const PlanOperand result = builder.WritePlain(chain.output);
  builder.Add(
      node, kernel,
      std::make_unique<SumStep>(PlanBuilderBase::ShapeOf(chain.output).Count(),
                                post.epilogues()[0]),
      {a, b}, {result});
  return true;
}

}  // namespace dovetail::vpu
