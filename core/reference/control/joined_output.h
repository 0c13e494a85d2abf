// An output of a loop that is made up of what each iteration gives.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_JOINED_OUTPUT_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_JOINED_OUTPUT_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

class JoinedOutput {
 public:
  // `binding`, which must have a slicing, outlives this.
  explicit JoinedOutput(const BodyOutput& binding) : binding_(&binding) {}

  int result() const { return binding_->result; }
  void Add(Tensor part) { parts_.push_back(std::move(part)); }

  // Puts the parts behind each other along the axis, the last one first when
  // the stride is negative, and makes that the node's output. Scalars count as
  // vectors of one element. kInvalidArgument when the iterations gave different
  // types or extents. There has to be a part.
  absl::Status Finish(KernelContext& context);

  // The same without any part, for a body that would give `result`: the axis
  // has extent 0, the others are as small as they can be.
  absl::Status FinishEmpty(KernelContext& context,
                           const OutputPort& result) const;

 private:
  absl::StatusOr<Shape> JoinedShape(const KernelContext& context, int axis);

  const BodyOutput* binding_;
  std::vector<Tensor> parts_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_JOINED_OUTPUT_H_
