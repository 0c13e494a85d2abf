// A pass of rules that say several nodes as one.
//
// The rules are those of transformations/common/node_rules.h, each for the last
// node of what it recognises: it looks back from there, makes the new nodes and
// leaves the old ones alone. What nobody reads any more goes with the last
// node, and the new nodes stand for all of it (fused_names.h).
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FUSION_PASS_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FUSION_PASS_H_

#include <string>
#include <vector>

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// One walk through the nodes in topological order. At each node the rules for
// its operation are tried in the order of the families, then those for what it
// has been replaced by; so a rule sees inputs that are as simple as rules can
// make them. A replacement whose type or shape contradicts the node's, or by
// which an output of the model would lose its name, does not take place.
class FusionPass : public Pass {
 public:
  FusionPass(absl::string_view name,
             const std::vector<NodeRules::Family>& families);

  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  std::string name_;
  std::vector<NodeRule> rules_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FUSION_PASS_H_
