// The builder of the GPU's plans: kernels with their text, and nodes that the
// host computes.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_PLAN_BUILDER_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_PLAN_BUILDER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/gpu/codegen/kernel_writer.h"
#include "dovetail/backends/gpu/compiler/settings.h"
#include "dovetail/backends/gpu/plan/steps.h"

namespace dovetail::gpu {

using Operand = PlanOperand;

// A kernel as an emitter adds it. The operands are the writer's buffers, in
// its order, and of its types: scratch memory too, which is bytes at first.
struct Launch {
  std::string kernel;  // its name in profiles: "softmax_rows_f32"
  KernelWriter writer;
  // A user's kernel, in the writer's place, and its arguments.
  std::optional<KernelSource> users;
  std::vector<UserArgument> user_arguments;
  std::vector<Operand> inputs, outputs;
  Operand scratch;
  std::vector<ScalarArgument> scalars;
  NdRange range;
};

class PlanBuilder : public PlanBuilderBase {
 public:
  // As PlanBuilderBase.
  PlanBuilder(const Model& model, const CompileSettings& settings,
              WeightsCache& weights)
      : PlanBuilderBase(model, weights), settings_(settings) {}

  const CompileSettings& settings() const { return settings_; }
  const LaneModel& lanes() const { return settings_.lanes; }

  // In which type kernels that can write both store a value of that type: f32
  // may be f16 in memory.
  ElementType StorageOf(ElementType type) const {
    return type == ElementType::kF32 ? settings_.storage_type : type;
  }
  // The value in that layout, in whichever type it is stored; for values that
  // are ready.
  Format StoredFormat(Value value, Layout layout = Layout::kPlanar) const {
    return {FormatOf(value).type, layout};
  }
  // As what a kernel writes it.
  Format StorageFormat(Value value, Layout layout = Layout::kPlanar) const {
    return {StorageOf(value.type()), layout};
  }

  // The custom kernel that computes the node; null: none does. Such a node is
  // part of no other's kernel.
  const CustomKernel* CustomKernelOf(const Node& node) const {
    return settings_.custom_kernels == nullptr
               ? nullptr
               : settings_.custom_kernels->Find(node.op());
  }

  // Adds a step for the node.
  void AddLaunch(const Node& node, Launch launch);
  // The host computes the node, from dense row-major tensors.
  absl::Status AddHostNode(const Node& node);

 private:
  absl::StatusOr<std::unique_ptr<PlanStep>> MakeReorder(
      const Shape& shape, const Format& from, const Format& to) override;

  const CompileSettings& settings_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_PLAN_BUILDER_H_
