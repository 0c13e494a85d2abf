// Nodes that passes leave alone.
#ifndef DOVETAIL_BACKENDS_COMMON_CUSTOM_STAND_IN_H_
#define DOVETAIL_BACKENDS_COMMON_CUSTOM_STAND_IN_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Where the custom kernel for a node is ("kernels.xml:3"); null: there is none.
using FindCustomKernelFn =
    absl::FunctionRef<const std::string*(const Node& node)>;

// Puts a node of an operation that no pass knows in the place of each that a
// custom kernel computes, so that it is neither folded, merged, fused nor
// dropped: what its kernel does only its author knows. Its floats become f32 or
// half precision with the inputs. Operations with bodies stay, and conversions.
absl::Status AddStandIns(Model& model, FindCustomKernelFn find);

// Marks them and leaves them where they are: a model that was lowered before.
absl::Status MarkCustomKernels(Model& model, FindCustomKernelFn find);

// Puts the nodes back, with the inputs that their stand-ins have by now.
absl::Status RemoveStandIns(Model& model);

// What AddStandIns or MarkCustomKernels has found for a node; null: nothing. For
// those who ask for each node of a model.
const std::string* PlaceOfKernel(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_CUSTOM_STAND_IN_H_
