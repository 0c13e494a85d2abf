// Dot products of bf16 and of bytes by vectors, for measure_products.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_MEASURE_DOT_PRODUCTS_H_
#define DOVETAIL_BACKENDS_CPU_ISA_MEASURE_DOT_PRODUCTS_H_

#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

// Products a nanosecond by the widest vectors of `isa`, which the processor
// has; 0: there are no such instructions among them.
double MeasureBf16Products(Isa isa);
double MeasureByteProducts(Isa isa);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_MEASURE_DOT_PRODUCTS_H_
