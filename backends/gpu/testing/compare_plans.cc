#include "dovetail/backends/gpu/testing/compare_plans.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/gpu/compiler/compile_plan.h"
#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<bool> EmitWithBlocks(const Node& node, PlanBuilder& builder) {
  const Value value = PlanBuilder::OutputOf(node);
  const Format format = {value.type(), Layout::kBlocked16};
  if (!node.Is("Clamp") ||
      !CanHaveLayout(PlanBuilder::ShapeOf(value), format.layout)) {
    return Emit(node, builder);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand blocks,
                            builder.Read(node.input(0), format));
  builder.View(value, blocks, 0, format);
  return true;
}

struct CompareOptions {
  int lanes = 16;
  double tolerance = 1e-5;
  ElementType storage_type = ElementType::kF32;
  EmitFn emit = &Emit;
  bool names_reorders = true;
};

absl::StatusOr<std::string> KernelsOf(const std::shared_ptr<const Model>& model,
                                      const CompileSettings& settings,
                                      const CompareOptions& options,
                                      WorkTeam& team) {
  WeightsCache weights;
  DOVETAIL_ASSIGN_OR_RETURN(
      const auto plan,
      CompilePlan(model, settings, options.emit, weights, team));
  std::vector<std::string> kernels;
  for (const PlannedStep& step : plan->steps) {
    if (options.names_reorders || step.kernel != "reorder") {
      kernels.push_back(step.kernel);
    }
  }
  return absl::StrJoin(kernels, ", ");
}

absl::StatusOr<std::vector<Tensor>> RunPlan(const StaticPlan& plan,
                                            const std::vector<Tensor>& inputs,
                                            WorkTeam& team) {
  std::vector<Tensor> outputs;
  for (const PlanPort& port : plan.outputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Tensor::Allocate(port.type, port.shape));
    outputs.push_back(std::move(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto instance, plan.NewInstance());
  const KernelEnvironment reference;
  RunEnvironment environment(&team, &reference);
  // Twice, as memory holds what the first run left.
  for (int run = 0; run < 2; ++run) {
    DOVETAIL_RETURN_IF_ERROR(instance->Run(inputs, outputs, environment));
  }
  return outputs;
}

absl::Status Compare(absl::string_view text, const CompareOptions& options,
                     ComparedPlan& compared) {
  DOVETAIL_ASSIGN_OR_RETURN(Model parsed, ParseWithConstants(text));
  const auto model = std::make_shared<const Model>(std::move(parsed));
  DOVETAIL_ASSIGN_OR_RETURN(const auto devices, ListClDevices());
  CompileSettings settings;
  settings.device = devices.front();
  settings.lanes = LaneModelOf(settings.device->traits());
  settings.lanes.lanes = options.lanes;
  settings.storage_type = options.storage_type;
  WorkTeam team(1);
  DOVETAIL_ASSIGN_OR_RETURN(compared.kernels,
                            KernelsOf(model, settings, options, team));
  std::vector<Shape> shapes;
  for (const Node* parameter : model->parameters()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              parameter->port().shape.ToShape());
    shapes.push_back(shape);
  }
  const std::vector<Tensor> inputs = RandomInputs(*model, shapes, 1);
  DOVETAIL_ASSIGN_OR_RETURN(
      const auto plan,
      GpuPlanCompiler::Create(settings, options.emit)->Compile(model, team));
  DOVETAIL_ASSIGN_OR_RETURN(const auto got, RunPlan(*plan, inputs, team));
  DOVETAIL_ASSIGN_OR_RETURN(const auto want, EvaluateModel(*model, inputs, {}));
  compared.message = FirstDifference(got, want, options.tolerance);
  return absl::OkStatus();
}

ComparedPlan ComparePlan(absl::string_view model,
                         const CompareOptions& options) {
  ComparedPlan compared;
  const absl::Status status = Compare(model, options, compared);
  if (!status.ok()) compared.message = std::string(status.message());
  return compared;
}

}  // namespace

bool HasClDevice() {
  const auto devices = ListClDevices();
  return devices.ok() && !devices->empty();
}

ComparedPlan ComparePlan(absl::string_view model, int lanes, double tolerance) {
  CompareOptions options;
  options.lanes = lanes;
  options.tolerance = tolerance;
  return ComparePlan(model, options);
}

ComparedPlan CompareHalfPlan(absl::string_view model, int lanes,
                             double tolerance) {
  CompareOptions options;
  options.lanes = lanes;
  options.tolerance = tolerance;
  options.storage_type = ElementType::kF16;
  return ComparePlan(model, options);
}

std::string KernelsIfRight(absl::string_view model, int lanes) {
  CompareOptions options;
  options.lanes = lanes;
  options.emit = &EmitWithBlocks;
  options.names_reorders = false;
  const ComparedPlan compared = ComparePlan(model, options);
  return compared.message.empty() ? compared.kernels : compared.message;
}

}  // namespace dovetail::gpu
