// How a PlanBuilderBase ends: results, memory, and the plan of what was added.
#include <mutex>
#include <utility>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"

namespace dovetail {

// Whether none that was read is damaged.
absl::Status PlanBuilderBase::CheckConstants() const {
  for (const auto& node : model_.nodes()) {
    const Tensor* const constant = PackableConstantOf(OutputOf(*node));
    if (constant == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(KnownDamage(constant->address()), node->Describe()));
  }
  return absl::OkStatus();
}

// The steps that compute results write them where the user wants them, as far
// as that is possible; the others are copied there.
absl::Status PlanBuilderBase::BindResults() {
  const auto& results = model_.results();
  for (size_t i = 0; i < results.size(); ++i) {
    const Value value = results[i]->input(0);
    DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand operand, ReadPlain(value));
    SetDone(*results[i]);
    const int index = static_cast<int>(i);
    if (buffers_.BindOutput({operand.place(), operand.byte_size()}, index)) {
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<PlanStep> step,
        MakeReorder(operand.shape, operand.format, operand.format));
    PlanOperand copy = operand;
    copy.buffer = buffers_.AddOutput(index, operand.byte_size());
    copy.offset = 0;
    Add(*results[i], "copy", std::move(step), {operand}, {copy});
  }
  return absl::OkStatus();
}

// Whether no other operand of the step lies in the memory of that one.
bool PlanBuilderBase::IsAlone(const InPlace& candidate) const {
  const int root = buffers_.Root(candidate.input).buffer;
  int there = 0;
  for (const PlanOperand& input : steps_[candidate.step].inputs) {
    if (input.buffer == -1) continue;
    if (buffers_.Root(input.place()).buffer == root) ++there;
  }
  return there == 1;
}

// Only now it is known who reads what last.
void PlanBuilderBase::AliasInPlace() {
  for (const InPlace& candidate : in_place_) {
    if (candidate.alone && !IsAlone(candidate)) continue;
    buffers_.Alias(candidate.output, candidate.input, candidate.step);
  }
}

Address PlanBuilderBase::AddressOf(const PlanOperand& operand) const {
  return operand.buffer == -1 ? Address() : buffers_.AddressOf(operand.place());
}

// Steps in order, so that who writes a piece of memory first gives it its name.
std::vector<MemoryRegion> PlanBuilderBase::DescribeMemory() const {
  std::unordered_map<int, std::pair<std::string, std::string>> writers;
  for (const Added& added : steps_) {
    const PlannedStep& step = added.planned;
    const auto note = [&](const PlanOperand& operand, const std::string& type) {
      if (operand.buffer == -1) return;
      const int root = buffers_.Root(operand.place()).buffer;
      writers.try_emplace(root, step.name, type);
    };
    for (const PlanOperand& output : added.outputs) note(output, step.type);
    note(added.scratch, "scratch");
  }
  std::vector<MemoryRegion> memory;
  for (const Buffers::Region& region : buffers_.Regions()) {
    const auto& [name, type] = writers[region.buffer];
    memory.push_back({region.arena, region.offset, region.bytes, region.first,
                      region.last, name, type});
  }
  return memory;
}

absl::Status PlanBuilderBase::RunDeferred(WorkTeam& team) {
  std::mutex mutex;
  absl::Status failed;
  team.Run(static_cast<int>(deferred_.size()), [&](int i) {
    const absl::Status status =
        CatchExceptions([] { return "preparing the plan"; }, deferred_[i]);
    if (status.ok()) return;
    std::lock_guard<std::mutex> lock(mutex);
    failed.Update(status);
  });
  deferred_.clear();
  for (const auto& packing : packings_) failed.Update(packing->Finish());
  packings_.clear();
  return failed;
}

absl::StatusOr<std::shared_ptr<const Plan>> PlanBuilderBase::Finish(
    WorkTeam& team, absl::Span<const ArenaOptions> arenas,
    const BesidePacking& beside) {
  notes_.End();
  DOVETAIL_RETURN_IF_ERROR(BindResults());
  DOVETAIL_RETURN_IF_ERROR(CheckConstants());
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const Plan> plan, MakePlan(arenas));
  // First, as nothing else takes as long.
  if (beside != nullptr) {
    deferred_.insert(deferred_.begin(), [&] { return beside(plan); });
  }
  DOVETAIL_RETURN_IF_ERROR(RunDeferred(team));
  return plan;
}

absl::StatusOr<std::shared_ptr<const Plan>> PlanBuilderBase::MakePlan(
    absl::Span<const ArenaOptions> arenas) {
  AliasInPlace();
  auto plan = std::make_shared<Plan>();
  DOVETAIL_ASSIGN_OR_RETURN(plan->arena_bytes, buffers_.PlanArenas(arenas));
  while (plan->arena_bytes.size() > 1 && plan->arena_bytes.back() == 0) {
    plan->arena_bytes.pop_back();
  }
  const auto port = [](Value value) {
    return PlanPort{value.type(), ShapeOf(value)};
  };
  for (const Node* node : model_.parameters()) {
    plan->inputs.push_back(port(OutputOf(*node)));
  }
  for (const Node* node : model_.results()) {
    plan->outputs.push_back(port(node->input(0)));
  }
  plan->memory = DescribeMemory();
  for (Added& added : steps_) {
    PlannedStep& planned = added.planned;
    for (const PlanOperand& operand : added.inputs) {
      planned.inputs.push_back(AddressOf(operand));
    }
    for (const PlanOperand& operand : added.outputs) {
      planned.outputs.push_back(AddressOf(operand));
    }
    planned.scratch = AddressOf(added.scratch);
    plan->steps.push_back(std::move(planned));
  }
  plan->views = std::move(views_);
  plan->kept_alive = std::move(kept_alive_);
  plan->constants = std::move(constants_);
  return plan;
}

}  // namespace dovetail
