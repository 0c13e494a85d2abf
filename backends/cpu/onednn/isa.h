// What instructions oneDNN generates code of.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_

#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Vectors of 16 floats.
inline bool HasAvx512() {
  constexpr int kAvx512 = static_cast<int>(dnnl::cpu_isa::avx512_core);
  return (static_cast<int>(dnnl::get_effective_cpu_isa()) & kAvx512) == kAvx512;
}

// Sums of four products of bytes that overflow nowhere (VNNI). Without them,
// oneDNN adds pairs of products in 16 bits.
inline bool HasDotProducts() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
    case dnnl::cpu_isa::avx:
    case dnnl::cpu_isa::avx2:
    case dnnl::cpu_isa::avx512_core:
      return false;
    default:
      return true;
  }
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_ISA_H_
