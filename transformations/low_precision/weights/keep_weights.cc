#include "dovetail/transformations/low_precision/weights/keep_weights.h"

#include <memory>

#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMark = "DisableConstantFolding_0";
constexpr absl::string_view kOurs = "weights";

// How many operations there may be between a constant and what it weighs.
constexpr int kMaxDepth = 8;

bool IsOnTheWay(const Node& node) {
  return node.Is("Convert") || node.Is("Subtract") || node.Is("Multiply") ||
         IsMovement(node);
}

bool IsSmallInteger(Value value) {
  return value.node->Is("Constant") && IsInteger(value.type()) &&
         BitWidth(value.type()) <= 8;
}

// Whether the value is a constant, perhaps of another type of float.
bool IsConstant(Value value) {
  while (value && value.node->Is("Convert")) value = value.node->input(0);
  return value && value.node->Is("Constant");
}

void MarkAbove(Value value, int depth) {
  if (!value || depth == 0) return;
  Node& node = *value.node;
  if (node.Is("FakeQuantize")) {
    if (IsConstant(node.input(0))) MarkAsKept(node);
  } else if (node.Is("Convert") && IsSmallInteger(node.input(0))) {
    MarkAsKept(node);
  } else if (IsOnTheWay(node)) {
    // Zero points may be converted too.
    const bool has_two = node.Is("Subtract") || node.Is("Multiply");
    for (int i = 0; i < (has_two ? 2 : 1) && i < node.input_count(); ++i) {
      MarkAbove(node.input(i), depth - 1);
    }
  }
}

}  // namespace

void MarkAsKept(Node& node) {
  if (node.rt_info().Find({kMark}) != nullptr) return;
  node.rt_info().Set({kMark, "value"}, kOurs);
}

bool IsMarkedAsKept(const Node& node) {
  const std::string* mark = node.rt_info().Find({kMark, "value"});
  return mark != nullptr && *mark == kOurs;
}

void Unmark(Node& node) {
  if (IsMarkedAsKept(node)) node.rt_info().children.erase(std::string(kMark));
}

absl::StatusOr<bool> KeepWeights::Run(Model& model) {
  return ForEachModel(model, [](Model& each) -> absl::StatusOr<bool> {
    for (const auto& node : each.nodes()) {
      if (IsLinear(*node)) MarkAbove(node->input(1), kMaxDepth);
    }
    return false;
  });
}

}  // namespace dovetail
