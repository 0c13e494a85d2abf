// NonMaxSuppression as what a plan, whose shapes are known, can hold.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_BOUNDED_SUPPRESSION_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_BOUNDED_SUPPRESSION_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::gpu {

// Whether a node is a bounded suppression. Its inputs and attributes are those
// of NonMaxSuppression, its outputs always the three of the newest version, of
// as many rows as there can be at most: the last output says how many of them
// count. It has a kernel of the device alone.
bool IsBoundedSuppression(const Node& node);

// `model` itself, or a copy in which each NonMaxSuppression whose inputs have
// static shapes is a bounded one, and slices of what it gives, which alone have
// shapes that depend on data. Those that `custom`, which may be null, computes
// stay, as do those of no box or of more than fit into memory. Bodies stay as
// they are. `model` is inferred, and so is the copy.
absl::StatusOr<std::shared_ptr<const Model>> BoundSuppressions(
    std::shared_ptr<const Model> model, const CustomKernels* custom);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_BOUNDED_SUPPRESSION_H_
