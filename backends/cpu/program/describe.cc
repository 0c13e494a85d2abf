#include "dovetail/backends/cpu/program/describe.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/backends/cpu/plan/layout.h"

namespace dovetail::cpu {
namespace {

// How far a node is from the step that reads through it.
constexpr int kMaxHops = 8;

bool IsStructural(const Node& node) {
  return node.Is("Parameter") || node.Is("Constant") || node.Is("Result");
}

// Plans are made of parts of the model, or of a copy with shapes.
bool IsCopyOf(const Node* copy, const Node& node) {
  if (copy == nullptr || copy == &node) return copy != nullptr;
  return copy->op().type == node.op().type && copy->name() == node.name();
}

bool HasCopyOf(const std::vector<const Node*>& nodes, const Node& node) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const Node* one) { return IsCopyOf(one, node); });
}

ExecutionInfo InfoOf(const PlannedStep& step, int64_t order) {
  ExecutionInfo info;
  info.kernel = step.kernel;
  info.precision = std::string(ElementTypeName(step.precision));
  info.order = order;
  info.declined = step.declined;
  std::vector<std::string> layouts;
  std::vector<absl::string_view> types;
  for (const StoredAs& stored : step.stored) {
    layouts.push_back(LayoutText(stored.format.layout, stored.rank));
    types.push_back(ElementTypeName(stored.format.type));
  }
  info.layouts = absl::StrJoin(layouts, ",");
  info.types = absl::StrJoin(types, ",");
  return info;
}

// Of several steps for a node the last one computes its outputs.
std::optional<ExecutionInfo> FindInPlan(const Plan& plan, const Node& node,
                                        int64_t first_order) {
  for (size_t i = plan.steps.size(); i-- > 0;) {
    const PlannedStep& step = plan.steps[i];
    const int64_t order = first_order + static_cast<int64_t>(i);
    if (IsCopyOf(step.node, node)) return InfoOf(step, order);
    if (!HasCopyOf(step.fused, node)) continue;
    ExecutionInfo info;
    info.fused_into = step.node->name();
    info.order = order;
    return info;
  }
  if (!HasCopyOf(plan.views, node)) return std::nullopt;
  ExecutionInfo info;
  info.kernel = "view";
  return info;
}

ExecutionInfo InfoOf(const Specialized::Decision& decision, int64_t order) {
  ExecutionInfo info;
  info.kernel = decision.label.kernel;
  info.precision = std::string(ElementTypeName(decision.node->port().type));
  const std::vector<absl::string_view> layouts(decision.node->output_count(),
                                               "plain");
  info.layouts = absl::StrJoin(layouts, ",");
  info.order = order;
  return info;
}

std::optional<ExecutionInfo> FindInProgram(const Program& program,
                                           const Node& node, int64_t order) {
  const std::shared_ptr<const Specialized> last = program.Last();
  if (last == nullptr) return std::nullopt;
  if (last->plan != nullptr) {
    if (auto info = FindInPlan(*last->plan, node, order)) return info;
    order += static_cast<int64_t>(last->plan->steps.size());
  }
  for (const Specialized::Decision& decision : last->decisions) {
    if (IsCopyOf(decision.node, node)) return InfoOf(decision, order);
    ++order;
  }
  if (last->rest == nullptr) return std::nullopt;
  return FindInProgram(*last->rest, node, order);
}

// A node without a step in a plan for all shapes is read through by who
// follows: one that only changes how its input is to be understood.
ExecutionInfo FindReader(const Program& program, const Node& node) {
  const Node* reader = &node;
  for (int hop = 0; hop < kMaxHops && reader->has_uses(); ++hop) {
    reader =
        reader->port().uses.empty() ? nullptr : reader->port().uses[0].node;
    if (reader == nullptr || IsStructural(*reader)) break;
    const auto info = FindInProgram(program, *reader, 0);
    if (!info.has_value()) continue;
    ExecutionInfo result;
    result.fused_into =
        info->fused_into.empty() ? reader->name() : info->fused_into;
    result.order = info->order;
    return result;
  }
  return {};
}

}  // namespace

ExecutionInfo DescribeNode(const Program& program, const Node& node) {
  if (const auto info = FindInProgram(program, node, 0)) return *info;
  ExecutionInfo info;
  if (node.Is("Parameter") || node.Is("Result")) info.layouts = "plain";
  // For certain shapes it may be folded instead.
  const bool all_shapes =
      program.only() != nullptr && program.only()->rest == nullptr;
  if (IsStructural(node) || !all_shapes) return info;
  return FindReader(program, node);
}

}  // namespace dovetail::cpu
