#include "dovetail/transformations/common/node_rules.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/output_names.h"

namespace dovetail {
namespace {

// Replacements of replacements end long before this, unless rules go round in a
// circle.
constexpr int kMaxDepth = 32;

std::string PortText(Value value) {
  return absl::StrCat(ElementTypeName(value.type()), value.shape().ToString());
}

// No tensor has an extent of more than the positions in core/tensor/tensor.cc,
// and formulas compute with extents.
bool CanBe(const PartialShape& shape) {
  constexpr int64_t kMaxPositions = int64_t{1} << 48;
  return !shape.rank_known() ||
         std::all_of(shape.begin(), shape.end(), [](const Dimension& extent) {
           return extent.min() <= kMaxPositions;
         });
}

// Whether a formula can be of the node's inputs. It has constants of their
// types, so these are known; what a body gives may be of any.
bool HasInputsForFormulas(const Node& node) {
  return std::all_of(
      node.inputs().begin(), node.inputs().end(), [&](Value input) {
        return !input || (CanBe(input.shape()) &&
                          (input.type() != ElementType::kDynamic ||
                           !node.bodies().empty()));
      });
}

// Applies rules within one model.
class Applier {
 public:
  Applier(const NodeRules& rules, const NodePredicate& is_native, Model& model)
      : rules_(rules), is_native_(is_native), model_(model) {}

  absl::StatusOr<bool> Run() {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              model_.TopologicalOrder());
    bool changed = false;
    for (Node* node : order) {
      DOVETAIL_ASSIGN_OR_RETURN(const bool replaced, Replace(*node, 0));
      changed |= replaced;
    }
    return changed;
  }

  absl::StatusOr<bool> ApplyOne(const NodeRule& rule, Node& node,
                                NodeBuilder& builder) {
    Replacement values = rule.make(builder, node);
    const absl::Status status = builder.status();
    if (status.ok()) SeparateOutputs(node, builder, values);
    if (status.ok() && !IsComplete(node, values)) values.clear();
    builder.RemoveUnused(values);
    if (!status.ok()) return Broken(rule, node, status.message());
    if (values.empty()) return false;
    DOVETAIL_RETURN_IF_ERROR(TakeShapes(rule, node, builder, values));
    TakeName(node, builder, values);
    model_.ReplaceNode(&node, values);
    return true;
  }

 private:
  absl::StatusOr<bool> Replace(Node& node, int depth) {
    if (is_native_(node) || !HasInputsForFormulas(node)) return false;
    for (const NodeRule* rule : rules_.For(node.op())) {
      if (depth > kMaxDepth) {
        return Internal(node.Describe(), ": rules go round in a circle");
      }
      NodeBuilder builder(model_, node);
      DOVETAIL_ASSIGN_OR_RETURN(const bool applied,
                                ApplyOne(*rule, node, builder));
      if (!applied) continue;
      DOVETAIL_RETURN_IF_ERROR(ReplaceAll(builder.added(), depth + 1));
      return true;
    }
    return false;
  }

  // What a rule has added is looked at in turn, bodies first.
  absl::Status ReplaceAll(const std::vector<Node*>& nodes, int depth) {
    for (Node* node : nodes) {
      for (const auto& body : node->bodies()) {
        DOVETAIL_RETURN_IF_ERROR(
            rules_.Apply(*body->model, is_native_).status());
      }
      DOVETAIL_RETURN_IF_ERROR(Replace(*node, depth).status());
    }
    return absl::OkStatus();
  }

  static bool IsComplete(const Node& node, const Replacement& values) {
    return static_cast<int>(values.size()) == node.output_count() &&
           std::all_of(values.begin(), values.end(),
                       [](Value value) { return bool(value); });
  }

  static bool IsNew(const NodeBuilder& builder, Value value) {
    const auto& added = builder.added();
    return std::find(added.begin(), added.end(), value.node) != added.end();
  }

  // A value that was there before, or stands for two outputs, may have to keep
  // its own name: a conversion to its own type takes the other name.
  static void SeparateOutputs(Node& node, NodeBuilder& builder,
                              Replacement& values) {
    std::set<Value> taken;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values[i] || static_cast<int>(i) >= node.output_count()) return;
      const bool is_first = taken.insert(values[i]).second;
      if (is_first && (IsNew(builder, values[i]) ||
                       KeepsOutputNames(node.output(i), values[i]))) {
        continue;
      }
      if (values[i].type() == ElementType::kString) {
        values[i] = Value{};  // there is no such conversion
        return;
      }
      values[i] = builder.Make("Convert", {values[i]},
                               {{"destination_type", values[i].type()}});
    }
  }

  // What inference knew of the node's outputs stays known.
  static absl::Status TakeShapes(const NodeRule& rule, Node& node,
                                 const NodeBuilder& builder,
                                 const Replacement& values) {
    for (int i = 0; i < node.output_count(); ++i) {
      const OutputPort& old = node.port(i);
      const bool same_type =
          old.type == ElementType::kDynamic || old.type == values[i].type();
      const auto shape = Intersect(old.shape, values[i].shape());
      if (!same_type || !shape.has_value()) {
        return Broken(rule, node, "the type or shape of output ", i,
                      " differs: ", PortText(values[i]), " for ",
                      PortText(node.output(i)));
      }
      Value value = values[i];
      if (IsNew(builder, value)) value.port().shape = *shape;
    }
    return absl::OkStatus();
  }

  static void TakeName(const Node& node, const NodeBuilder& builder,
                       const Replacement& values) {
    if (IsNew(builder, values[0])) values[0].node->set_name(node.name());
  }

  template <typename... Parts>
  static absl::Status Broken(const NodeRule& rule, const Node& node,
                             const Parts&... parts) {
    return Internal(node.Describe(), ": rule '", rule.formula, "': ", parts...);
  }

  const NodeRules& rules_;
  const NodePredicate& is_native_;
  Model& model_;
};

std::vector<NodeRule> Together(absl::Span<const NodeRules::Family> families) {
  std::vector<NodeRule> rules;
  for (NodeRules::Family family : families) {
    rules.insert(rules.end(), family().begin(), family().end());
  }
  return rules;
}

}  // namespace

absl::StatusOr<bool> ApplyRule(const NodeRule& rule, Model& model, Node& node) {
  if (!HasInputsForFormulas(node)) return false;
  static const auto& none = *new NodeRules(absl::Span<const NodeRule>());
  NodeBuilder builder(model, node);
  return Applier(none, &IsNone, model).ApplyOne(rule, node, builder);
}

NodePredicate IsOneOf(absl::Span<const OpType> operations) {
  return [all = std::vector<OpType>(operations.begin(), operations.end())](
             const Node& node) {
    return std::any_of(all.begin(), all.end(),
                       [&](OpType op) { return node.Is(op); });
  };
}

NodePredicate IsOneOf(std::initializer_list<OpType> operations) {
  return IsOneOf(absl::MakeConstSpan(operations.begin(), operations.size()));
}

bool IsNone(const Node&) { return false; }

NodeRules::NodeRules(absl::Span<const Family> families)
    : NodeRules(Together(families)) {}

NodeRules::NodeRules(absl::Span<const NodeRule> rules)
    : all_(rules.begin(), rules.end()) {
  for (size_t i = 0; i < all_.size(); ++i) {
    by_type_[std::string(all_[i].op.type())].push_back(i);
  }
}

std::vector<const NodeRule*> NodeRules::For(const OpInfo& op) const {
  std::vector<const NodeRule*> found;
  const auto it = by_type_.find(std::string(op.type));
  if (it == by_type_.end() || !op.custom_opset.empty()) return found;
  for (size_t i : it->second) {
    if (all_[i].op.Matches(op.type, op.version)) found.push_back(&all_[i]);
  }
  return found;
}

absl::StatusOr<bool> NodeRules::Apply(Model& model,
                                      const NodePredicate& is_native) const {
  return ForEachModel(model, [&](Model& each) {
    return Applier(*this, is_native, each).Run();
  });
}

}  // namespace dovetail
