#include "dovetail/core/ops/signal/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/signal/signal.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DFT", 7, "DFT", OpsetRange::Since(7), {2, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferDft, kAnyFloat},
    {"IDFT", 7, "IDFT", OpsetRange::Since(7), {2, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferDft, kAnyFloat},
    {"IRDFT", 9, "IRDFT", OpsetRange::Since(9), {2, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferIrdft, kAnyFloat},
    {"ISTFT", 16, "ISTFT", OpsetRange::Since(16), {4, 5}, {1, 1},
     &MakeAttributes<IstftAttributes>, &InferIstft, kAnyFloat},
    {"RDFT", 9, "RDFT", OpsetRange::Since(9), {2, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferRdft, kAnyFloat},
    {"STFT", 15, "STFT", OpsetRange::Since(15), {4, 4}, {1, 1},
     &MakeAttributes<StftAttributes>, &InferStft, kAnyFloat},
};

}  // namespace

absl::Span<const OpInfo> SignalOps() { return kOps; }

}  // namespace dovetail
