// Removes what no result and no side effect needs.
#ifndef DOVETAIL_TRANSFORMATIONS_SIMPLIFY_DEAD_CODE_H_
#define DOVETAIL_TRANSFORMATIONS_SIMPLIFY_DEAD_CODE_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Parameters stay, also in bodies, as others count on their numbers.
class DeadCode : public Pass {
 public:
  absl::string_view name() const override { return "dead-code"; }
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_SIMPLIFY_DEAD_CODE_H_
