// Products a nanosecond, for MachineModel.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_MEASURE_PRODUCTS_H_
#define DOVETAIL_BACKENDS_CPU_ISA_MEASURE_PRODUCTS_H_

#include "dovetail/backends/cpu/isa/machine_model.h"

namespace dovetail::cpu {

// Sets f32_8, f32_16, bf16 and int8, by instructions that the process may use.
// Tiles (AMX) are reckoned from the clock that the others show: all processors
// that have them do alike (tile_products.h). In some 0.3 ms.
void MeasureProducts(MachineModel& machine);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_MEASURE_PRODUCTS_H_
