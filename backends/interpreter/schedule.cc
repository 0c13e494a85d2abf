#include "dovetail/backends/interpreter/schedule.h"

#include <unordered_map>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

class Scheduler {
 public:
  Schedule Run(const std::vector<Node*>& order, const Model& model) {
    for (const Node* node : order) AddNode(*node);
    for (const Node* parameter : model.parameters()) {
      schedule_.parameters.push_back(first_slots_.at(parameter));
    }
    for (const Node* result : model.results()) {
      schedule_.results.push_back(Slot(result->input(0)));
    }
    BindResults(model);
    FindLastUses();
    return std::move(schedule_);
  }

 private:
  int Slot(Value value) const {
    return value ? first_slots_.at(value.node) + value.index : -1;
  }

  void AddNode(const Node& node) {
    if (node.Is("Result")) return;
    const int first = schedule_.slot_count;
    first_slots_[&node] = first;
    schedule_.slot_count += node.output_count();
    if (node.Is("Parameter")) return;
    if (const auto* constant = node.As<ConstantAttributes>()) {
      schedule_.constants.emplace_back(first, constant->value);
      return;
    }
    if (!node.is_needed()) return;
    Schedule::Step step;
    step.node = &node;
    step.label = HostLabel(node, /*find_kernel=*/nullptr);
    for (Value input : node.inputs()) step.inputs.push_back(Slot(input));
    step.first_output = first;
    step.results.assign(node.output_count(), -1);
    schedule_.steps.push_back(std::move(step));
  }

  void BindResults(const Model& model) {
    std::unordered_map<const Node*, Schedule::Step*> step_of;
    for (Schedule::Step& step : schedule_.steps) step_of[step.node] = &step;
    for (size_t i = 0; i < model.results().size(); ++i) {
      const Value value = model.results()[i]->input(0);
      const auto it = step_of.find(value.node);
      if (it == step_of.end()) continue;
      int& result = it->second->results[value.index];
      if (result == -1) result = static_cast<int>(i);
    }
  }

  // From the last step to the first: who reads a slot first, seen from there,
  // is its last reader. Constants and parameters stay; so do results.
  void FindLastUses() {
    std::vector<bool> needed(schedule_.slot_count, false);
    for (const auto& [slot, value] : schedule_.constants) needed[slot] = true;
    for (int slot : schedule_.parameters) needed[slot] = true;
    for (int slot : schedule_.results) {
      if (slot >= 0) needed[slot] = true;
    }
    for (auto step = schedule_.steps.rbegin(); step != schedule_.steps.rend();
         ++step) {
      const auto release = [&](int slot) {
        if (slot < 0 || needed[slot]) return;
        needed[slot] = true;
        step->frees.push_back(slot);
      };
      for (size_t i = 0; i < step->results.size(); ++i) {
        release(step->first_output + static_cast<int>(i));
      }
      for (int slot : step->inputs) release(slot);
    }
  }

  Schedule schedule_;
  std::unordered_map<const Node*, int> first_slots_;
};

}  // namespace

absl::StatusOr<Schedule> MakeSchedule(const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  for (const Node* result : model.results()) {
    if (result->input_count() == 0 || !result->input(0)) {
      return InvalidArgument(result->Describe(), ": reads nothing");
    }
  }
  return Scheduler().Run(order, model);
}

}  // namespace dovetail
