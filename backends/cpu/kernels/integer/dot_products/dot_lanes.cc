#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"

#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

#if defined(__x86_64__)

bool HasDotLanes() {
  static const bool has =
      Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx512Vnni) &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vnni");
  return has;
}

#else

bool HasDotLanes() { return false; }

#endif

}  // namespace dovetail::cpu
