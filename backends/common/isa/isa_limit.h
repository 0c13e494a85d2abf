// Limit of the instruction sets this process may use, whatever the processor
// has: one limit for oneDNN and for own kernels.
//
// DOVETAIL_MAX_CPU_ISA names the greatest level that may be used: AVX2,
// AVX2_VNNI, AVX2_VNNI_2, AVX512, AVX512_VNNI, AVX512_BF16, AVX512_FP16 or
// AVX512_AMX; DEFAULT or nothing is no limit. What oneDNN's own variable
// ONEDNN_MAX_CPU_ISA forbids to oneDNN, own kernels do not use either. Both are
// read once, when the library is loaded.
#ifndef DOVETAIL_BACKENDS_COMMON_ISA_ISA_LIMIT_H_
#define DOVETAIL_BACKENDS_COMMON_ISA_ISA_LIMIT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Levels of instructions. A level has those of the ones before it, but that of
// AVX512 on do not have the dot products of 256 bits of AVX2_VNNI.
enum class Isa : uint8_t {
  kNone,        // less than AVX2
  kAvx2,        // with FMA
  kAvx2Vnni,    // dot products of bytes
  kAvx2Vnni2,   // and of signed ones, conversions from bf16 and f16
  kAvx512,      // F, CD, BW, DQ, VL
  kAvx512Vnni,  // dot products of bytes
  kAvx512Bf16,  // dot products of bf16
  kAvx512Fp16,
  kAvx512Amx,  // tiles, of bytes and bf16
  kAll,
};

// "AVX512_VNNI"; "DEFAULT" for kAll.
absl::string_view IsaName(Isa isa);

// Whether all instructions of `part` are in `isa`.
bool Includes(Isa isa, Isa part);

// The greatest level that both values allow; null is an unset variable.
// kInvalidArgument for an unknown value of the first, which the message quotes.
// oneDNN passes over unknown values of its own, and so does this.
absl::StatusOr<Isa> IsaLimitOf(const char* max_cpu_isa,
                               const char* onednn_max_cpu_isa);

// That of this process.
const absl::StatusOr<Isa>& IsaLimit();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_ISA_ISA_LIMIT_H_
