#include "dovetail/backends/gpu/steps/recurrent/table.h"

#include "dovetail/backends/gpu/steps/recurrent/recurrent.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> RecurrentEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"GRUCell", &EmitRecurrent},  {"GRUSequence", &EmitRecurrent},
      {"LSTMCell", &EmitRecurrent}, {"LSTMSequence", &EmitRecurrent},
      {"RNNCell", &EmitRecurrent},  {"RNNSequence", &EmitRecurrent},
  };
  return kRows;
}

}  // namespace dovetail::gpu
