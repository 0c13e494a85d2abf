// Kernel of the recurrent cells and sequences.
#ifndef DOVETAIL_CORE_REFERENCE_RECURRENT_RECURRENT_H_
#define DOVETAIL_CORE_REFERENCE_RECURRENT_RECURRENT_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// A cell is a sequence of one step. Steps of a batch past its length leave its
// state as it is and give zeros in Y; a reverse direction begins with the last
// step within the length. f16 and bf16 are computed, and keep their state, as
// f32.
absl::Status RecurrentKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RECURRENT_RECURRENT_H_
