#include "dovetail/backends/common/program/analysis/shape_barriers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/state/variable.h"

namespace dovetail {
namespace {

// More elements than that, most of which take a byte or more, no tensor can
// have. Sizes in bytes are computed without checks for overflow in plans, and
// tables as long as an axis are made before there is memory for a tensor.
int64_t MaxElements() {
  constexpr int64_t kAnyMachine = int64_t{1} << 42;
  static const int64_t memory =
      int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
  return memory > 0 ? std::min(memory, kAnyMachine) : kAnyMachine;
}

bool IsPlain(const OutputPort& port) {
  if (port.type == ElementType::kDynamic || port.type == ElementType::kString) {
    return false;
  }
  const auto shape = port.shape.ToShape();
  if (!shape.ok()) return false;
  const auto count = shape->ElementCount();
  return count.ok() && *count <= MaxElements();
}

class Splitter {
 public:
  void Add(const Node& node, bool plan_nothing) {
    if (plan_nothing) {
      split_.barriers.push_back(&node);
    } else if (IsDeferred(node)) {
      split_.deferred.push_back(&node);
      unplanned_.insert(&node);
      NoteVariable(node);
    } else if (HasPlainTensors(node)) {
      split_.planned.push_back(&node);
    } else {
      split_.barriers.push_back(&node);
      unplanned_.insert(&node);
      NoteVariable(node);
    }
  }

  ModelSplit Take() {
    DeferConstants();
    return std::move(split_);
  }

 private:
  using NodeSet = std::unordered_set<const Node*>;

  // Those of planned ones that are made of constants.
  NodeSet MadeOfConstants() const {
    NodeSet made;
    for (const Node* node : split_.planned) {
      const auto known = [&](const Node& input) {
        return made.count(&input) > 0;
      };
      if (IsMadeOfConstants(*node, known)) made.insert(node);
    }
    return made;
  }

  void DeferConstants() {
    if (split_.deferred.empty()) return;
    const NodeSet made = MadeOfConstants();
    NodeSet deferred(split_.deferred.begin(), split_.deferred.end());
    std::vector<const Node*> planned, moved;
    for (auto it = split_.planned.rbegin(); it != split_.planned.rend(); ++it) {
      const bool moves = made.count(*it) > 0 && IsReadBy(**it, deferred);
      (moves ? moved : planned).push_back(*it);
      if (moves) deferred.insert(*it);
    }
    split_.planned.assign(planned.rbegin(), planned.rend());
    split_.deferred.insert(split_.deferred.begin(), moved.rbegin(),
                           moved.rend());
  }

  // And by nobody else.
  static bool IsReadBy(const Node& node, const NodeSet& readers) {
    for (int i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.port(i).uses) {
        if (readers.count(use.node) == 0) return false;
      }
    }
    return true;
  }

  // Whether it needs what is not planned.
  bool IsDeferred(const Node& node) const {
    for (int i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (input && unplanned_.count(input.node) > 0) return true;
    }
    const std::string* variable = VariableIdOf(node);
    return variable != nullptr && variables_.count(*variable) > 0;
  }

  void NoteVariable(const Node& node) {
    const std::string* variable = VariableIdOf(node);
    if (variable != nullptr) variables_.insert(*variable);
  }

  ModelSplit split_;
  std::unordered_set<const Node*> unplanned_;  // barriers and deferred ones
  std::set<std::string> variables_;            // that these read or write
};

}  // namespace

bool HasPlainTensors(const Node& node) {
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i) && !IsPlain(node.input(i).port())) return false;
  }
  for (int i = 0; i < node.output_count(); ++i) {
    if (!IsPlain(node.port(i))) return false;
  }
  return true;
}

bool IsMadeOfConstants(const Node& node,
                       absl::FunctionRef<bool(const Node& node)> known) {
  if (node.op().Has(kHasSideEffect) || node.op().Has(kReadsState) ||
      node.op().Has(kNondeterministic) || node.input_count() == 0 ||
      !HasPlainTensors(node)) {
    return false;
  }
  const auto inputs = node.inputs();
  return std::all_of(inputs.begin(), inputs.end(), [&](Value input) {
    return !input || input.node->Is("Constant") || known(*input.node);
  });
}

absl::StatusOr<ModelSplit> SplitAtShapeBarriers(const Model& model,
                                                bool plan_nothing) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  Splitter splitter;
  for (const Node* node : order) {
    if (node->op().Has(kStructural) || !node->is_needed()) continue;
    splitter.Add(*node, plan_nothing);
  }
  return splitter.Take();
}

}  // namespace dovetail
