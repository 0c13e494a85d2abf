// Passes for backends that have kernels for whole operations, before they
// compile: composites become the one operation that they are, and work goes.
#ifndef DOVETAIL_TRANSFORMATIONS_PIPELINES_FUSION_H_
#define DOVETAIL_TRANSFORMATIONS_PIPELINES_FUSION_H_

#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/transformations/pipelines/common.h"

namespace dovetail {

// Comes behind AddCommonPasses, with the same options, as it looks for the
// constants that those fold. The meaning stays but for rounding; arithmetic is
// recognised in all types of floats. Only operations of the operation table
// come out of it, the newest versions, so that Decompose undoes what a device
// has no kernel for. What there is no operation for gets one form:
// transformations/fusion/normalization/rms_norm_pattern.h and
// transformations/fusion/attention/rotary_pattern.h recognise it. What undoes
// quantization stays as it is, Convert, Subtract and Multiply.
void AddFusionPasses(PassManager& manager,
                     const CommonPassesOptions& options = {});

// Attention alone, once: for a copy of a fused model for certain shapes, whose
// masks are seen to be no larger than the scores that they are added to.
void AddAttentionFusion(PassManager& manager);

// For devices that compute activations where linear operations store their
// sums: activations go before movements of the sums. After AddFusionPasses, by
// which products of matrices would read what stays behind, transposed.
void AddActivationMovement(PassManager& manager);

// For devices that convolve channels by themselves fast, if each makes one:
// others are repeated before. After AddFusionPasses.
void AddMultipliedChannels(PassManager& manager);

// For devices that multiply bf16 in tiles: groups of few channels become one
// until they fill a tile. After AddMultipliedChannels.
void AddMergedGroups(PassManager& manager);

// For devices that multiply many channels faster than many taps of few:
// convolutions that cut a picture into patches. After AddFusionPasses.
void AddPatchConvolutions(PassManager& manager);

// For devices that copy channels to put them one after the other: convolutions
// that alone read what a Concat has joined. After AddFusionPasses.
void AddConvolutionsOfParts(PassManager& manager);

// For devices that compute what is quantized element by element with what is
// around it: products by quantized numbers for each channel, written as
// convolutions. Before low-precision passes.
void AddChannelScales(PassManager& manager);

// For devices that run SliceScatter, which flat scatters at slices become.
void AddSliceAssignments(PassManager& manager);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_PIPELINES_FUSION_H_
