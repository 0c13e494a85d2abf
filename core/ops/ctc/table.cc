#include "dovetail/core/ops/ctc/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/ctc/ctc_greedy_decoder.h"
#include "dovetail/core/ops/ctc/ctc_loss.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"CTCGreedyDecoder", 0, "CTCGreedyDecoder", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<CtcGreedyDecoderAttributes>,
     &InferCtcGreedyDecoder, kAnyFloat},
    {"CTCGreedyDecoderSeqLen", 6, "CTCGreedyDecoderSeqLen",
     OpsetRange::Since(6), {2, 3}, {2, 2},
     &MakeAttributes<CtcGreedyDecoderSeqLenAttributes>,
     &InferCtcGreedyDecoderSeqLen, kAnyFloat},
    {"CTCLoss", 4, "CTCLoss", OpsetRange::Since(4), {4, 5}, {1, 1},
     &MakeAttributes<CtcLossAttributes>, &InferCtcLoss, kAnyFloat},
};

}  // namespace

absl::Span<const OpInfo> CtcOps() { return kOps; }

}  // namespace dovetail
