// Computes only once what several nodes compute.
#ifndef DOVETAIL_TRANSFORMATIONS_SIMPLIFY_COMMON_SUBEXPRESSIONS_H_
#define DOVETAIL_TRANSFORMATIONS_SIMPLIFY_COMMON_SUBEXPRESSIONS_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Nodes with the same operation, attributes and inputs become one; so do equal
// constants. Not merged: what is random, reads or writes state or has bodies,
// and outputs of the model that then would go by the same name.
class CommonSubexpressions : public Pass {
 public:
  absl::string_view name() const override { return "common-subexpressions"; }
  absl::StatusOr<bool> Run(Model& model) override;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_SIMPLIFY_COMMON_SUBEXPRESSIONS_H_
