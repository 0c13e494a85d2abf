#include "dovetail/backends/cpu/compute_type.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::cpu {

namespace {

#if defined(__x86_64__)
// Leaf 7, subleaf 1, EAX bit 4 of CPUID, which gcc 12 has no name for.
bool HasAvxVnni() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 &&
         (eax & 16u) != 0 && __builtin_cpu_supports("avx2");
}
#endif

}  // namespace

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

bool ProcessorHasInt8() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni") || HasAvxVnni();
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
