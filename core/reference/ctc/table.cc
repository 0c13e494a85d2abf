#include "dovetail/core/reference/ctc/table.h"

#include "dovetail/core/reference/ctc/ctc_greedy_decoder.h"
#include "dovetail/core/reference/ctc/ctc_loss.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"CTCGreedyDecoder", 0, &CtcGreedyDecoderKernel},
    {"CTCGreedyDecoderSeqLen", 6, &CtcGreedyDecoderSeqLenKernel},
    {"CTCLoss", 4, &CtcLossKernel},
};

}  // namespace

absl::Span<const KernelRow> CtcKernels() { return kKernels; }

}  // namespace dovetail
