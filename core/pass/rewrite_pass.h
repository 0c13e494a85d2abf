// A pass of a pattern and of what is done where it fits.
#ifndef DOVETAIL_CORE_PASS_REWRITE_PASS_H_
#define DOVETAIL_CORE_PASS_REWRITE_PASS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/pass/pass.h"
#include "dovetail/core/pass/pattern.h"

namespace dovetail {

// Changes the model where the pattern has matched, as with Model::ReplaceNode;
// answers whether it did. It may add and remove any nodes; what it adds is not
// visited in the same run.
using RewriteFn =
    std::function<absl::StatusOr<bool>(Model& model, const Match& match)>;

// Tries every node's every output in topological order, in bodies too. Nodes
// that nobody needs any more stay: dead-code removal is a pass of its own.
class RewritePass : public Pass {
 public:
  RewritePass(absl::string_view name, Pattern pattern, RewriteFn rewrite)
      : name_(name),
        rules_{{std::move(pattern), std::move(rewrite)}} {}

  struct Rule {
    Pattern pattern;
    RewriteFn rewrite;
  };
  // The first rule that matches and changes something is the node's last.
  RewritePass(absl::string_view name, std::vector<Rule> rules)
      : name_(name), rules_(std::move(rules)) {}

  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  absl::StatusOr<bool> RunOnNode(Model& model, Node& node) const;
  absl::StatusOr<bool> RunOnModel(Model& model) const;

  std::string name_;
  std::vector<Rule> rules_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_REWRITE_PASS_H_
