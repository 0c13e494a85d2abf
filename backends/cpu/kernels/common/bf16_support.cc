#include "dovetail/backends/cpu/kernels/common/bf16_support.h"

#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

bool HasBf16Products() {
#if defined(__x86_64__) && defined(__linux__)
  return Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx512Bf16) &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

}  // namespace dovetail::cpu
