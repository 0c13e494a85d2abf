// What instructions oneDNN generates code of.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_

#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Vectors of 16 floats.
inline bool HasAvx512() {
  constexpr int kAvx512 = static_cast<int>(dnnl::cpu_isa::avx512_core);
  return (static_cast<int>(dnnl::get_effective_cpu_isa()) & kAvx512) ==
         kAvx512;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
