// Conversions between types of registers.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_CONVERSION_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_CONVERSION_H_

#include <string>

#include "dovetail/backends/gpu/codegen/expressions/functions.h"

namespace dovetail::gpu {

// What Convert gives of $a, with the marks of functions.h, between
// IsRegisterTypes: as core/tensor/types/element_cast.h. A result of half
// precision is rounded where it is stored.
std::string ConversionText(const MarkedTypes& types);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_EXPRESSIONS_CONVERSION_H_
