#include "dovetail/core/reference/recurrent/table.h"

#include "dovetail/core/reference/recurrent/recurrent.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"GRUCell", 3, &RecurrentKernel},
    {"GRUSequence", 5, &RecurrentKernel},
    {"LSTMCell", 0, &RecurrentKernel},
    {"LSTMCell", 4, &RecurrentKernel},
    {"LSTMSequence", 0, &RecurrentKernel},
    {"LSTMSequence", 5, &RecurrentKernel},
    {"RNNCell", 0, &RecurrentKernel},
    {"RNNSequence", 5, &RecurrentKernel},
};

}  // namespace

absl::Span<const KernelRow> RecurrentKernels() { return kKernels; }

}  // namespace dovetail
