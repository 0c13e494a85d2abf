// Kernels of region proposals. All of them compute on f32 tensors: see
// OnFloats.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_PROPOSALS_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_PROPOSALS_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status GenerateProposalsKernel(KernelContext& context);
absl::Status ProposalKernel(KernelContext& context);
absl::Status SingleImageProposalsKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_PROPOSALS_H_
