#include "dovetail/backends/vpu/compiler/stage.h"

namespace dovetail::vpu {

absl::string_view Name(Lane lane) {
  if (lane == Lane::kNce) return "NCE";
  return lane == Lane::kShave ? "SHAVE" : "DMA";
}

int64_t TotalCycles(const Stages& stages) {
  int64_t cycles = 0;
  for (const Stage& stage : stages) cycles += stage.cycles;
  return cycles;
}

}  // namespace dovetail::vpu
