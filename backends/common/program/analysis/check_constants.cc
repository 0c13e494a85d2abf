#include "dovetail/backends/common/program/analysis/check_constants.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {

absl::Status CheckConstants(const Model& model) {
  for (const auto& node : model.nodes()) {
    for (const auto& body : node->bodies()) {
      DOVETAIL_RETURN_IF_ERROR(CheckConstants(*body->model));
    }
    const auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(CheckDeferred(constant->value.address()), node->Describe()));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
