#include "dovetail/backends/gpu/compiler/plan_builder.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/gpu/compiler/reorder.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// Packed weights have no type; they are read from their beginning.
int ElementBytes(const Operand& operand) {
  return std::max(1, BitWidth(operand.format.type) / 8);
}

}  // namespace

void PlanBuilder::AddLaunch(const Node& node, Launch launch) {
  auto step = std::make_unique<LaunchStep>(
      launch.users.has_value() ? *std::move(launch.users)
                               : launch.writer.Source(),
      std::move(launch.scalars), launch.range);
  step->user_arguments = std::move(launch.user_arguments);
  for (const auto* operands : {&launch.inputs, &launch.outputs}) {
    for (const Operand& operand : *operands) {
      step->element_bytes.push_back(ElementBytes(operand));
    }
  }
  if (launch.scratch.buffer != -1) {
    step->element_bytes.push_back(ElementBytes(launch.scratch));
  }
  Add(node, launch.kernel, std::move(step), launch.inputs, launch.outputs,
      launch.scratch);
}

absl::Status PlanBuilder::AddHostNode(const Node& node) {
  auto step = std::make_unique<HostStep>(
      std::make_unique<HostNode>(node, settings_.compile_body));
  std::vector<Operand> inputs, outputs;
  for (const Value input : node.inputs()) {
    Operand operand;
    if (input) {
      DOVETAIL_ASSIGN_OR_RETURN(operand, ReadPlain(input));
    }
    inputs.push_back(operand);
  }
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(WritePlain(OutputOf(node, i)));
  }
  for (const auto* operands : {&inputs, &outputs}) {
    for (const Operand& operand : *operands) {
      step->bytes.push_back(
          std::max<int64_t>(1, StoredBytes(operand.shape, operand.format)));
    }
  }
  Add(node, HostKernelName(node, &FindHostKernel), std::move(step), inputs,
      outputs);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<PlanStep>> PlanBuilder::MakeReorder(
    const Shape& shape, const Format& from, const Format& to) {
  return MakeReorderStep(shape, from, to, settings_);
}

}  // namespace dovetail::gpu
