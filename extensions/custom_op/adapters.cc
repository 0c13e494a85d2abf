#include "dovetail/extensions/custom_op/adapters.h"

#include "absl/strings/match.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"

namespace dovetail::internal {

absl::Status Guarded(const Node& node, absl::FunctionRef<absl::Status()> body) {
  absl::Status status;
  try {
    status = CatchExceptions([&] { return node.Describe(); }, body);
  } catch (...) {
    // Somebody else's code may throw anything, and nobody above catches that.
    status = Internal(node.Describe(),
                      ": its operation threw something that is no "
                      "std::exception");
  }
  if (status.ok() || absl::StartsWith(status.message(), node.Describe())) {
    return status;
  }
  return Annotate(status, node.Describe());
}

absl::Status ReplaceByFormula(Model& model, Node& node, NodeRule::MakeFn make) {
  const std::string who = node.Describe();
  const std::string formula =
      absl::StrCat("decomposition of ", node.op().ToString());
  const NodeRule rule(OpType::Named(node.op().type), formula, make);
  // What throws has left the node in its place.
  return Guarded(node, [&]() -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const bool applied, ApplyRule(rule, model, node));
    if (applied) return absl::OkStatus();
    return InvalidArgument(who, ": ", formula,
                           " does not apply to inputs like these");
  });
}

}  // namespace dovetail::internal
