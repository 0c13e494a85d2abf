// What it costs to share work with a helper, for MachineModel.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_MEASURE_TEAM_H_
#define DOVETAIL_BACKENDS_CPU_ISA_MEASURE_TEAM_H_

namespace dovetail::cpu {

// Nanoseconds of a loop of two tasks that do nothing, by a team of two.
double MeasureWakeNs();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_MEASURE_TEAM_H_
