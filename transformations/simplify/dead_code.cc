#include "dovetail/transformations/simplify/dead_code.h"

#include "dovetail/core/pass/for_each_model.h"

namespace dovetail {

absl::StatusOr<bool> DeadCode::Run(Model& model) {
  return ForEachModel(
      model, [](Model& each) { return each.RemoveUnused() > 0; });
}

}  // namespace dovetail
