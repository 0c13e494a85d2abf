#include "dovetail/backends/cpu/steps/signal/table.h"

#include "dovetail/backends/cpu/steps/signal/fourier.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> SignalEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"DFT", &EmitFourier},
      {"IDFT", &EmitFourier},
      {"RDFT", &EmitFourier},
      {"IRDFT", &EmitFourier},
  };
  return kRows;
}

}  // namespace dovetail::cpu
