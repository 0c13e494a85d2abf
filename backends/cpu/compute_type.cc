#include "dovetail/backends/cpu/compute_type.h"

#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::cpu {

bool ProcessorHasAvx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool ProcessorHasBf16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

ElementType ComputeType(const Config& config) {
  const std::string type =
      config.GetString(properties::kInferencePrecisionHint);
  const bool any =
      type == "dynamic" &&
      config.GetString(properties::kExecutionModeHint) != "ACCURACY";
  const bool wanted = type == "bf16" || any;
  return wanted && ProcessorHasBf16() ? ElementType::kBf16 : ElementType::kF32;
}

}  // namespace dovetail::cpu
