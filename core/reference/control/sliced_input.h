// An input of a loop that is given to the body part by part.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_SLICED_INPUT_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_SLICED_INPUT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/control/slices.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

class SlicedInput {
 public:
  // `binding` must have a slicing.
  static absl::StatusOr<SlicedInput> Make(const KernelContext& context,
                                          const BodyInput& binding);

  int parameter() const { return parameter_; }
  int64_t count() const { return parts_.count; }
  // Of each part.
  Shape part_shape() const {
    Shape shape = tensor_.shape();
    shape[axis_] = part_size_;
    return shape;
  }
  // Part number `iteration`, below count(), packed: a view of the input where
  // its elements lie side by side, else a copy.
  absl::StatusOr<Tensor> Part(const KernelContext& context,
                              int64_t iteration) const;

 private:
  Tensor tensor_;  // elements smaller than a byte are bytes here
  ElementType type_ = ElementType::kDynamic;  // of the input
  int parameter_ = 0, axis_ = 0;
  int64_t part_size_ = 1;
  Parts parts_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_SLICED_INPUT_H_
