#include "dovetail/backends/common/compiler/describe_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/program/static_plan.h"

namespace dovetail {
namespace {

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

std::string StepText(const PlannedStep& step, int64_t order) {
  const ExecutionInfo info = InfoOf(step, order);
  std::string text = absl::StrCat(order, " ", step.name, " (", step.type,
                                  "): ", info.kernel, " in ", info.precision,
                                  ", stores ", info.types, " ", info.layouts);
  if (!step.fused.empty()) {
    const auto name = [](std::string* to, const Node* node) {
      to->append(node->name());
    };
    absl::StrAppend(&text, ", with ", absl::StrJoin(step.fused, ", ", name));
  }
  if (!info.declined.empty()) {
    absl::StrAppend(&text, "; declined: ", info.declined);
  }
  return text;
}

}  // namespace

// Of several steps for a node the last one computes its outputs.
std::optional<ExecutionInfo> DescribeInPlan(const Plan& plan,
                                            const Node& node) {
  for (size_t i = plan.steps.size(); i-- > 0;) {
    const PlannedStep& step = plan.steps[i];
    const auto order = static_cast<int64_t>(i);
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

std::string PlanText(const Plan& plan) {
  std::string text = absl::StrCat("plan of ", plan.steps.size(), " steps, ",
                                  absl::StrJoin(plan.arena_bytes, " and "),
                                  " bytes of tensors\n");
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    absl::StrAppend(&text, StepText(plan.steps[i], static_cast<int64_t>(i)),
                    "\n");
  }
  return text;
}

}  // namespace dovetail
