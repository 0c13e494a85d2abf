// Caches and memory, for MachineModel.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_MEASURE_MEMORY_H_
#define DOVETAIL_BACKENDS_CPU_ISA_MEASURE_MEMORY_H_

#include "dovetail/backends/cpu/isa/machine_model.h"

namespace dovetail::cpu {

// Sets l1, l2, l3 and what memory gives, also by rows: extents as the system
// tells them, or common ones where it does not, and what this thread reads of
// each. In some 3 ms.
void MeasureMemory(MachineModel& machine);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_MEASURE_MEMORY_H_
