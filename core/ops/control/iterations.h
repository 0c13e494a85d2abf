// Inference of a body that is run several times: shapes that hold in
// every iteration, found by going round the back edges until nothing changes.
#ifndef DOVETAIL_CORE_OPS_CONTROL_ITERATIONS_H_
#define DOVETAIL_CORE_OPS_CONTROL_ITERATIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

class IteratedBody {
 public:
  // Checks how `body`, the node's first one, is bound to it.
  static absl::StatusOr<IteratedBody> Make(InferContext& context,
                                           const Body& body);

  // Declares the body's parameters by the node's inputs and infers the body, so
  // that its ports hold for every one of `iterations` iterations. Extents that
  // go on to change become unknown. While a graph is inferred only.
  absl::Status Infer(const Dimension& iterations);

  // Sets the node's outputs from the body's results after that many iterations:
  // the last one's, or all joined along an axis. Without any iteration an
  // output that a back edge leads from is what the loop began with.
  absl::Status SetOutputs(const Dimension& iterations);

 private:
  IteratedBody(InferContext& context, const Body& body,
               std::vector<ParameterSource> sources);

  absl::Status SetFirstShapes();
  absl::Status CheckIterationParameter(int parameter);
  absl::Status InferOnce();
  absl::StatusOr<bool> GoRound(bool widen);
  void ForgetShapes();
  absl::StatusOr<PartialShape> JoinedShape(const BodyOutput& binding,
                                           const Dimension& iterations) const;
  PartialShape LastShape(const BodyOutput& binding,
                         const Dimension& iterations) const;

  InferContext& context_;
  const Body& body_;
  std::vector<ParameterSource> sources_;
  std::vector<PartialShape> shapes_;  // of the parameters
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_ITERATIONS_H_
