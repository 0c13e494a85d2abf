// MatMul.
#ifndef DOVETAIL_CORE_OPS_LINEAR_MATMUL_H_
#define DOVETAIL_CORE_OPS_LINEAR_MATMUL_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct MatMulAttributes : public AttributesOf<MatMulAttributes> {
  bool transpose_a = false;
  bool transpose_b = false;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("transpose_a", transpose_a);
    visitor.Visit("transpose_b", transpose_b);
  }
};

// a […, m, k] and b […, k, n], both as the attributes transpose them
// -> […, m, n], where leading axes broadcast. A vector is a row as a and a
// column as b, whatever the attributes say, and the output lacks its axis.
absl::Status InferMatMul(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_MATMUL_H_
