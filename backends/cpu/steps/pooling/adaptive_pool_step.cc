#include "dovetail/backends/cpu/steps/pooling/adaptive_pool_step.h"

#include <vector>

#include "dovetail/backends/cpu/kernels/pooling/adaptive_pool.h"
#include "dovetail/backends/cpu/steps/common/unit_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

void PoolPlanes(const AdaptivePoolShape& shape, const StepRun& run,
                int64_t begin, int64_t end) {
  // Inferences allocate nothing.
  static thread_local std::vector<float> row;
  row.resize(shape.axes[2].input);
  AdaptivePool(shape, run.input<float>(0), begin, end, row.data(),
               run.output<float>());
}

absl::Status Emit(const Node& node, const AdaptivePoolShape& shape,
                  PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  const Operand result = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.Add(
      node, "adaptive_pool",
      MakeUnitStep(shape.planes, shape.planes * shape.input_plane(),
                   [shape](const StepRun& run, int64_t begin, int64_t end) {
                     PoolPlanes(shape, run, begin, end);
                   }),
      {data}, {result});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryAdaptivePool(const AdaptiveProblem& problem,
                                            const PlanBuilder&) {
  const Shape data = PlanBuilder::ShapeOf(problem.node->input(0));
  const Shape result =
      PlanBuilder::ShapeOf(PlanBuilder::OutputOf(*problem.node));
  AdaptivePoolShape shape;
  const int spatial = data.rank() - 2;
  if (spatial > static_cast<int>(shape.axes.size())) {
    return Unimplemented(spatial, " axes");
  }
  shape.takes_maxima = problem.kind == PoolingKind::kMax;
  shape.planes = data[0] * data[1];
  for (int i = 0; i < spatial; ++i) {
    shape.axes[shape.axes.size() - spatial + i] = {data[2 + i], result[2 + i]};
  }
  KernelOffer offer;
  offer.emit = [&problem, shape](PlanBuilder& plan) {
    return Emit(*problem.node, shape, plan);
  };
  return offer;
}

}  // namespace dovetail::cpu
