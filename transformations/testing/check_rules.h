// Tests of rules (transformations/common/node_rules.h): what an operation has
// been replaced by computes the same.
#ifndef DOVETAIL_TRANSFORMATIONS_TESTING_CHECK_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_TESTING_CHECK_RULES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

class RuleCheck {
 public:
  // Of a family: ActivationDecompositions().
  explicit RuleCheck(absl::Span<const NodeRule> rules) : rules(rules) {}

  NodeRules rules;
  // Differences of elements allowed, absolute and relative.
  double tolerance = 1e-5;
  // What unknown extents are when the models run.
  std::vector<int64_t> extents = {2, 3};

  // Applies the rules, with nothing native, to the model of a text, in which a
  // line that ends with a comma goes on in the next. Fails unless it replaces
  // all nodes of type `gone` ("Gelu" or "Gelu-0"), says so, leaves a right
  // model whose outputs have the same names, types and shapes, and both models
  // compute the same of the same random inputs.
  void ExpectReplaced(absl::string_view gone, const std::string& text) const;
  // The same, but what comes in place of a node may be of its type.
  void ExpectChanged(const std::string& text) const;
  // The rules leave nodes of that type as they are.
  void ExpectDeclined(absl::string_view type, const std::string& text) const;

 private:
  void Change(Model& model) const;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_TESTING_CHECK_RULES_H_
