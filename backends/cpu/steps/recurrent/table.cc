#include "dovetail/backends/cpu/steps/recurrent/table.h"

#include "dovetail/backends/cpu/steps/recurrent/recurrent.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> RecurrentEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"GRUCell", &EmitRecurrent},      {"GRUSequence", &EmitRecurrent},
      {"LSTMCell", &EmitRecurrent},     {"LSTMSequence", &EmitRecurrent},
      {"RNNCell", &EmitRecurrent},      {"RNNSequence", &EmitRecurrent},
  };
  return kRows;
}

}  // namespace dovetail::cpu
