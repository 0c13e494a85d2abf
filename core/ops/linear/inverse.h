// Inverse.
#ifndef DOVETAIL_CORE_OPS_LINEAR_INVERSE_H_
#define DOVETAIL_CORE_OPS_LINEAR_INVERSE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct InverseAttributes : public AttributesOf<InverseAttributes> {
  bool adjoint = false;  // give the transposed inverses

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("adjoint", adjoint);
  }
};

// Square matrices […, n, n] -> their inverses.
absl::Status InferInverse(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_INVERSE_H_
