#include "dovetail/backends/vpu/simulator/vpu_plan_compiler.h"

#include <iostream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/steps/compiled_plan.h"
#include "dovetail/backends/common/steps/copy_step.h"
#include "dovetail/backends/common/steps/host_node_step.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/backends/vpu/schedule/compile.h"
#include "dovetail/backends/vpu/schedule/graph_text.h"
#include "dovetail/backends/vpu/simulator/engine_step.h"
#include "dovetail/backends/vpu/simulator/sum_step.h"
#include "dovetail/backends/vpu/simulator/timeline.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/transformations/common/movements.h"

namespace dovetail::vpu {
namespace {

// All tensors are dense, in row-major order and of the model's types.
class PlanBuilder : public PlanBuilderBase {
 public:
  PlanBuilder(const Model& model, WeightsCache& weights)
      : PlanBuilderBase(model, weights) {}

 private:
  absl::StatusOr<std::unique_ptr<PlanStep>> MakeReorder(
      const Shape& shape, const Format& from, const Format& to) override {
    if (from.type != to.type || from.layout != to.layout) {
      return Internal("the simulator stores each tensor in one way");
    }
    return std::make_unique<CopyStep>(StoredBytes(shape, from));
  }
};

class VpuInstance : public StaticPlan::Instance {
 public:
  VpuInstance(std::unique_ptr<StaticPlan::Instance> values,
              std::shared_ptr<const Program> program)
      : values_(std::move(values)), program_(std::move(program)) {}

  absl::Status Run(absl::Span<const Tensor> inputs,
                   absl::Span<const Tensor> outputs,
                   RunEnvironment& environment) override {
    if (environment.clock() != nullptr) Timeline::Of(environment).Add(program_);
    return values_->Run(inputs, outputs, environment);
  }

 private:
  const std::unique_ptr<StaticPlan::Instance> values_;
  const std::shared_ptr<const Program> program_;
};

class VpuPlan : public CompiledPlan {
 public:
  VpuPlan(std::shared_ptr<const Plan> plan,
          std::shared_ptr<const Program> program)
      : CompiledPlan(std::move(plan)), program_(std::move(program)) {}

  absl::StatusOr<std::unique_ptr<StaticPlan::Instance>> NewInstance()
      const override {
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<StaticPlan::Instance> values,
                              CompiledPlan::NewInstance());
    return std::make_unique<VpuInstance>(std::move(values), program_);
  }

 private:
  const std::shared_ptr<const Program> program_;
};

// Of what PRINT_PASSES asks for, on stderr.
ObservePass PrinterOf(const std::string& which) {
  if (which.empty() || which == "NO") return nullptr;
  return [which](absl::string_view pass, const StageGraph& graph) {
    if (which != "YES" && which != pass) return;
    std::cerr << pass << ":\n" << GraphText(graph);
  };
}

bool IsEmpty(const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    const auto shape = node.port(i).shape.ToShape();
    if (!shape.ok() || shape->Count() > 0) return false;
  }
  return node.output_count() > 0;
}

absl::Status AddView(const Node& node, PlanBuilderBase& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand operand,
                            builder.ReadPlain(node.input(0)));
  builder.View(PlanBuilder::OutputOf(node), operand, 0, operand.format);
  return absl::OkStatus();
}

}  // namespace

absl::Status VpuPlanCompiler::AddOwnStep(const Node& node,
                                         const Program& program,
                                         PlanBuilderBase& builder) const {
  if (IsReshape(node)) return AddView(node, builder);
  // What is no layer follows from shapes, which the processor's own compiler
  // knows.
  const std::string kernel = program.Find(node.name()) != nullptr
                                 ? program.KernelName(node.name())
                                 : HostKernelName(node, &FindHostKernel);
  DOVETAIL_ASSIGN_OR_RETURN(
      const bool is_added,
      AddEngineStep(node, kernel, program, accumulation_, builder));
  if (is_added) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const bool is_sum,
                            AddSumStep(node, kernel, builder));
  if (is_sum) return absl::OkStatus();
  return AddHostNodeStep(node, kernel, /*compile_body=*/nullptr, builder);
}

absl::Status VpuPlanCompiler::AddNode(const Node& node, const Program& program,
                                      const Kernels& kernels,
                                      PlanBuilderBase& builder) const {
  if (builder.IsDone(node)) return absl::OkStatus();
  builder.SetDone(node);
  const auto add = [&]() -> absl::Status {
    const auto custom = kernels.find(node.name());
    if (custom == kernels.end()) return AddOwnStep(node, program, builder);
    return custom->second->AddStep(node, "shave_custom", watchdog_ms_, builder);
  };
  return Annotate(CatchExceptions([] { return "compiling"; }, add),
                  node.Describe());
}

absl::StatusOr<std::shared_ptr<const StaticPlan>> VpuPlanCompiler::Compile(
    std::shared_ptr<const Model> model, WorkTeam& team) {
  std::lock_guard<std::mutex> lock(weights_.compile_mutex());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model->TopologicalOrder());
  DOVETAIL_ASSIGN_OR_RETURN(const Kernels kernels, KernelsOf(order));
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const Program> program,
                            ProgramOf(*model, kernels));
  programs_.push_back(program);
  PlanBuilder builder(*model, weights_);
  builder.KeepAlive(model);
  for (const Node* node : order) {
    if (node->op().Has(kStructural) || !node->is_needed()) continue;
    DOVETAIL_RETURN_IF_ERROR(AddNode(*node, *program, kernels, builder));
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const Plan> plan,
                            builder.Finish(team));
  return std::make_shared<const VpuPlan>(std::move(plan), program);
}

absl::StatusOr<VpuPlanCompiler::Kernels> VpuPlanCompiler::KernelsOf(
    const std::vector<Node*>& nodes) const {
  Kernels kernels;
  for (const Node* node : nodes) {
    const std::string* const place = PlaceOfKernel(*node);
    // Nothing is to be computed of nothing.
    if (place == nullptr || !node->is_needed() || IsEmpty(*node)) continue;
    const ShaveLayer* const layer = custom_->At(*place);
    if (layer == nullptr) {
      return Internal(node->Describe(), ": there is no custom layer at ",
                      *place);
    }
    auto compiled = CustomKernels::Compile(*layer, *node);
    if (!compiled.ok()) return Annotate(compiled.status(), node->Describe());
    kernels[node->name()] = *std::move(compiled);
  }
  return kernels;
}

absl::StatusOr<std::shared_ptr<const Program>> VpuPlanCompiler::ProgramOf(
    const Model& model, const Kernels& kernels) const {
  DOVETAIL_ASSIGN_OR_RETURN(Network network,
                            LowerModel(machine_, model, black_list_));
  for (const std::shared_ptr<const Program>& program : compiled_) {
    if (program->network() == network) return program;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const CustomWorks works,
                            CountWorks(model, network, kernels));
  DOVETAIL_ASSIGN_OR_RETURN(
      Program program, Program::Compile(machine_, std::move(network), works,
                                        PrinterOf(print_passes_)));
  return std::make_shared<const Program>(std::move(program));
}

absl::StatusOr<CustomWorks> VpuPlanCompiler::CountWorks(
    const Model& model, const Network& network, const Kernels& kernels) const {
  CustomWorks works;
  if (kernels.empty()) return works;
  std::map<std::string, int> index;
  for (size_t i = 0; i < network.size(); ++i) {
    if (network[i].kind != LayerKind::kCustom) continue;
    index[network[i].name] = static_cast<int>(i);
  }
  for (const auto& node : model.nodes()) {
    const auto layer = index.find(node->name());
    const auto kernel = kernels.find(node->name());
    if (layer == index.end() || kernel == kernels.end()) continue;
    const auto work = kernel->second->Count(*node, watchdog_ms_);
    if (!work.ok()) return Annotate(work.status(), node->Describe());
    if (work->has_value()) works[layer->second] = **work;
  }
  return works;
}

Programs VpuPlanCompiler::programs() {
  std::lock_guard<std::mutex> lock(weights_.compile_mutex());
  return programs_;
}

}  // namespace dovetail::vpu
