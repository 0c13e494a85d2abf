// DFT, IDFT, RDFT and IRDFT: a pass over the data for each axis.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_FOURIER_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_FOURIER_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitFourier(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_FOURIER_H_
