// Kernels of CTCGreedyDecoder and CTCGreedyDecoderSeqLen.
#ifndef DOVETAIL_CORE_REFERENCE_CTC_CTC_GREEDY_DECODER_H_
#define DOVETAIL_CORE_REFERENCE_CTC_CTC_GREEDY_DECODER_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Blank is the last class; the rest of each row is -1.
absl::Status CtcGreedyDecoderKernel(KernelContext& context);
// Blank is input 2, or the last class; a length is cut to what is there.
absl::Status CtcGreedyDecoderSeqLenKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CTC_CTC_GREEDY_DECODER_H_
