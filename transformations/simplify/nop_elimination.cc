#include "dovetail/transformations/simplify/nop_elimination.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/common/output_names.h"

namespace dovetail {
namespace {

// ---- What is known of values ----

// Whether every element of a constant is that number, and has its sign.
bool IsAll(const Tensor& tensor, double number) {
  if (!IsFloat(tensor.type()) && !IsInteger(tensor.type())) return false;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double element = tensor.ElementAsDouble(i);
    if (element != number || std::signbit(element) != std::signbit(number)) {
      return false;
    }
  }
  return true;
}

bool SameStaticShape(Value a, Value b) {
  return a.shape().is_static() && a.shape() == b.shape();
}

bool SameType(Value a, Value b) {
  return a.type() != ElementType::kDynamic && a.type() == b.type();
}

Value OutputOf(const Node& node) { return Value{const_cast<Node*>(&node), 0}; }

// ---- One rule for each kind of operation ----

Value FirstIf(const Node& node, bool repeats) {
  return repeats ? node.input(0) : Value{};
}

Value OfConvert(const Node& node) {
  return FirstIf(node, SameType(node.input(0), OutputOf(node)));
}

// Tile, Broadcast: what has the same shape as before has repeated nothing. A
// third input maps axes, which could mean anything.
Value OfRepeat(const Node& node) {
  return FirstIf(node, node.input_count() == 2 &&
                           SameStaticShape(node.input(0), OutputOf(node)));
}

// Reshape, Squeeze, Unsqueeze: back at the shape of what came into a row of
// them.
Value OfView(const Node& node) {
  for (const Node* view = &node; IsReshape(*view);) {
    const Value source = view->input(0);
    if (SameStaticShape(source, OutputOf(node))) return source;
    if (!source) break;
    view = source.node;
  }
  return Value{};
}

// No order at all means the axes reversed.
std::optional<std::vector<int64_t>> OrderOf(const Node& transpose) {
  auto order = ConstantInts(transpose.input(1));
  const PartialShape& shape = transpose.input(0).shape();
  if (!order.has_value() || !shape.rank_known()) return std::nullopt;
  if (order->empty()) {
    for (int i = shape.rank() - 1; i >= 0; --i) order->push_back(i);
  }
  const bool valid =
      static_cast<int>(order->size()) == shape.rank() &&
      std::all_of(order->begin(), order->end(), [&](int64_t axis) {
        return axis >= 0 && axis < shape.rank();
      });
  return valid ? order : std::nullopt;
}

bool IsInOrder(const std::vector<int64_t>& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

Value OfTranspose(const Node& node) {
  const auto order = OrderOf(node);
  if (!order.has_value()) return Value{};
  if (IsInOrder(*order)) return node.input(0);
  const Node& before = *node.input(0).node;
  if (!before.Is("Transpose")) return Value{};
  const auto first = OrderOf(before);
  if (!first.has_value() || first->size() != order->size()) return Value{};
  std::vector<int64_t> both;
  for (int64_t axis : *order) both.push_back((*first)[axis]);
  return IsInOrder(both) ? before.input(0) : Value{};
}

Value OfPad(const Node& node) {
  const Tensor* begin = ConstantOf(node.input(1));
  const Tensor* end = ConstantOf(node.input(2));
  return FirstIf(node, begin != nullptr && end != nullptr &&
                           IsAll(*begin, 0.0) && IsAll(*end, 0.0));
}

// A slice that takes as much as there is, forwards.
Value OfSlice(const Node& node) {
  if (!SameStaticShape(node.input(0), OutputOf(node))) return Value{};
  if (node.input_count() < 4) {
    return FirstIf(node, node.Is("StridedSlice"));  // every stride is 1
  }
  const auto strides = ConstantInts(node.input(3));
  return FirstIf(node, strides.has_value() &&
                           std::all_of(strides->begin(), strides->end(),
                                       [](int64_t s) { return s > 0; }));
}

Value OfOnlyPart(const Node& node) {
  const int parts =
      node.Is("Concat") ? node.input_count() : node.output_count();
  return FirstIf(node, parts == 1);
}

// x op constant, when the constant is `neutral` everywhere and does not widen
// x by its own shape.
Value WithNeutral(const Node& node, int x, double neutral) {
  const Value value = node.input(x), other = node.input(1 - x);
  const Tensor* constant = ConstantOf(other);
  if (constant == nullptr || !SameType(value, other) ||
      !SameType(value, OutputOf(node)) || !IsAll(*constant, neutral)) {
    return Value{};
  }
  const bool is_single = constant->element_count() == 1 &&
                         value.shape().rank_known() &&
                         constant->rank() <= value.shape().rank();
  return is_single || SameStaticShape(value, OutputOf(node)) ? value : Value{};
}

// -0 + 0 is 0, so that only -0 is neutral to floats' addition; and 0 to their
// subtraction, as integers have no -0.
Value OfArithmetic(const Node& node) {
  if (node.input_count() != 2) return Value{};
  const bool is_float = IsFloat(node.input(0).type());
  if (node.Is("Subtract")) return WithNeutral(node, 0, 0.0);
  if (node.Is("Divide")) return WithNeutral(node, 0, 1.0);
  const double neutral = node.Is("Multiply") ? 1.0 : is_float ? -0.0 : 0.0;
  const Value first = WithNeutral(node, 0, neutral);
  return first ? first : WithNeutral(node, 1, neutral);
}

struct Rule {
  OpType type;
  Value (*repeated)(const Node& node);
};

constexpr Rule kRules[] = {
    {"Convert", &OfConvert},
    {"ConvertLike", &OfConvert},
    {"Reshape", &OfView},
    {"Squeeze", &OfView},
    {"Unsqueeze", &OfView},
    {"Tile", &OfRepeat},
    {"Broadcast", &OfRepeat},
    {"Transpose", &OfTranspose},
    {"Pad", &OfPad},
    {"Slice", &OfSlice},
    {"StridedSlice", &OfSlice},
    {"Concat", &OfOnlyPart},
    {"Split", &OfOnlyPart},
    {"VariadicSplit", &OfOnlyPart},
    {"Add", &OfArithmetic},
    {"Subtract", &OfArithmetic},
    {"Multiply", &OfArithmetic},
    {"Divide", &OfArithmetic},
};

absl::StatusOr<bool> EliminateIn(Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  bool changed = false;
  for (Node* node : order) {
    const Value repeated = RepeatedValue(*node);
    if (!repeated || !KeepsOutputNames(node->output(), repeated)) continue;
    const Value values[] = {repeated};
    model.ReplaceNode(node, values);
    changed = true;
  }
  return changed;
}

}  // namespace

Value RepeatedValue(const Node& node) {
  if (node.input_count() == 0 || node.output_count() != 1) return Value{};
  for (const Rule& rule : kRules) {
    if (!node.Is(rule.type)) continue;
    const Value value = rule.repeated(node);
    return value && SameType(value, OutputOf(node)) ? value : Value{};
  }
  return node.Is("Identity") ? node.input(0) : Value{};
}

absl::StatusOr<bool> NopElimination::Run(Model& model) {
  return ForEachModel(model, EliminateIn);
}

}  // namespace dovetail
