// Rules that say an operation in terms of others, and what applies them to a
// model: what passes of upgrades and of decompositions are made of.
//
// A family of operations has one file of rules:
//
//   // x * min(relu(x + 3), 6) / 6
//   Replacement HSwish(NodeBuilder& b, const Node&) { … }
//
//   constexpr NodeRule kRules[] = {
//       {"HSwish", 4, "x * min(relu(x + 3), 6) / 6", &HSwish},
//   };
//   absl::Span<const NodeRule> ActivationRules() { return kRules; }
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_NODE_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_NODE_RULES_H_

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// One value for each output of the node. Without any, or with an empty Value
// among them, the rule does not apply; what it has added so far is taken away
// again.
using Replacement = std::vector<Value>;

struct NodeRule {
  static constexpr int kAnyVersion = OpType::kAnyVersion;
  using MakeFn = Replacement (*)(NodeBuilder& b, const Node& node);

  // A row of a table, checked by the compiler.
  consteval NodeRule(const char* type, int version, absl::string_view formula,
                     MakeFn make)
      : NodeRule(OpType(type, version), formula, make) {}
  constexpr NodeRule(OpType op, absl::string_view formula, MakeFn make)
      : op(op), formula(formula), make(make) {}

  OpType op;
  absl::string_view formula;  // for people
  // Makes the replacement of `node`, which is that of the builder. The values
  // have the types of the node's outputs, and shapes that agree with theirs. It
  // must not change `node`, nor other nodes; an error of the builder is our own
  // bug, so a rule looks at what may be wrong (dynamic ranks, dynamic types)
  // before, and declines.
  MakeFn make;
};

// Whether a node is to stay as it is: for passes that change only what a device
// does not run itself.
using NodePredicate = std::function<bool(const Node& node)>;
// Is one of "Gelu" (in any version) or "Gelu-7".
NodePredicate IsOneOf(absl::Span<const OpType> operations);
NodePredicate IsOneOf(std::initializer_list<OpType> operations);
// None is.
bool IsNone(const Node& node);

// Applies a rule to a node of `model`, whatever operation that is, as
// NodeRules::Apply does; false when it declines.
absl::StatusOr<bool> ApplyRule(const NodeRule& rule, Model& model, Node& node);

// Immutable; may be used by several threads at once.
class NodeRules {
 public:
  // Rules for the same operation are tried in order.
  explicit NodeRules(absl::Span<const NodeRule> rules);
  // Those of families, in order.
  using Family = absl::Span<const NodeRule> (*)();
  explicit NodeRules(absl::Span<const Family> families);

  // Replaces what is not native, in bodies too, then what it has been replaced
  // by, until each node is native or has no rule that applies; one with inputs
  // of unknown types, or of extents that no tensor has, stays as it is. The
  // node that gives the first output takes over the friendly name, and all new
  // nodes stand for the layers of the old one (fused_names.h). kInternal names
  // the node and a rule that made an error.
  absl::StatusOr<bool> Apply(Model& model,
                             const NodePredicate& is_native) const;

  const std::vector<NodeRule>& all() const { return all_; }
  // Those for an operation, in order.
  std::vector<const NodeRule*> For(const OpInfo& op) const;

 private:
  std::vector<NodeRule> all_;
  std::map<std::string, std::vector<size_t>> by_type_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_NODE_RULES_H_
