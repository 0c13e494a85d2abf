// Fused multiply-add: a product and a sum that are rounded once.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_FUSED_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_FUSED_H_

namespace dovetail {

#if defined(__x86_64__)
// Whether functions with __attribute__((target("avx2,fma"))) can be called.
inline bool HasFusedMultiplyAdd() {
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_FUSED_H_
