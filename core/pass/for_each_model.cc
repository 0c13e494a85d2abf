#include "dovetail/core/pass/for_each_model.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"

namespace dovetail {
namespace {

using Change = absl::FunctionRef<absl::StatusOr<bool>(Model&)>;

absl::StatusOr<bool> Visit(Model& model, Change change, int depth) {
  if (depth > kMaxBodyDepth) {
    return InvalidArgument("model '", model.name(),
                           "': bodies are nested over ", kMaxBodyDepth,
                           " deep");
  }
  bool changed = false;
  for (const auto& node : model.nodes()) {
    for (const auto& body : node->bodies()) {
      DOVETAIL_ASSIGN_OR_RETURN(const bool body_changed,
                                Visit(*body->model, change, depth + 1));
      changed |= body_changed;
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(const bool model_changed, change(model));
  return changed || model_changed;
}

}  // namespace

absl::StatusOr<bool> ForEachModel(Model& model, Change change) {
  return Visit(model, change, 0);
}

}  // namespace dovetail
