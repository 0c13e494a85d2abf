#include "dovetail/backends/cpu/onednn/isa.h"

#include <cstdlib>

#include "dovetail/core/base/status.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {
namespace {

struct Level {
  Isa isa;
  dnnl::cpu_isa onednn;
};

// The greatest first.
constexpr Level kLevels[] = {
    {Isa::kAvx512Amx, dnnl::cpu_isa::avx512_core_amx},
    {Isa::kAvx512Fp16, dnnl::cpu_isa::avx512_core_fp16},
    {Isa::kAvx512Bf16, dnnl::cpu_isa::avx512_core_bf16},
    {Isa::kAvx512Vnni, dnnl::cpu_isa::avx512_core_vnni},
    {Isa::kAvx512, dnnl::cpu_isa::avx512_core},
    {Isa::kAvx2Vnni2, dnnl::cpu_isa::avx2_vnni_2},
    {Isa::kAvx2Vnni, dnnl::cpu_isa::avx2_vnni},
    {Isa::kAvx2, dnnl::cpu_isa::avx2},
    {Isa::kNone, dnnl::cpu_isa::sse41},
};

// Whether oneDNN has taken the limit.
bool Limit(Isa isa) {
  for (const Level& level : kLevels) {
    if (level.isa != isa) continue;
    return dnnl::set_max_cpu_isa(level.onednn) == dnnl::status::success;
  }
  return true;  // there is none
}

// What oneDNN goes by. Its levels are sets of bits, too, and so a level that is
// not in the list is the greatest one that is part of it.
Isa Effective() {
  const int bits = static_cast<int>(dnnl::get_effective_cpu_isa());
  for (const Level& level : kLevels) {
    const int needed = static_cast<int>(level.onednn);
    if ((bits & needed) == needed) return level.isa;
  }
  return Isa::kNone;
}

struct State {
  State() {
    is_limited = Limit(IsaLimit().value_or(Isa::kAll));
    isa = Effective();
#if defined(__x86_64__)
    // oneDNN's own code for AVX2 uses FMA without asking.
    if (!__builtin_cpu_supports("fma")) isa = Isa::kNone;
#endif
  }
  bool is_limited = true;
  Isa isa = Isa::kNone;
};

const State& TheState() {
  static const State state;
  return state;
}

}  // namespace

Isa UsableIsa() { return TheState().isa; }

absl::Status CheckIsa() {
  DOVETAIL_RETURN_IF_ERROR(IsaLimit().status());
  const Isa limit = *IsaLimit();
  if (!Includes(limit, Isa::kAvx2)) {
    return Unavailable(
        "the CPU backend needs AVX2 and FMA, which ONEDNN_MAX_CPU_ISA forbids; "
        "REFERENCE runs without");
  }
  if (!TheState().is_limited) {
    return Unavailable(
        "oneDNN was used in this process before the CPU backend "
        "was, and so cannot be limited to ",
        IsaName(limit), " any more");
  }
  if (!Includes(UsableIsa(), Isa::kAvx2)) {
    return Unavailable(
        "the CPU backend needs a processor with AVX2 and FMA; "
        "REFERENCE runs on any");
  }
  return absl::OkStatus();
}

bool HasAvx512() { return Includes(UsableIsa(), Isa::kAvx512); }

bool HasDotProducts() {
  return Includes(UsableIsa(), Isa::kAvx512Vnni) ||
         Includes(UsableIsa(), Isa::kAvx2Vnni);
}

bool HasBf16() { return Includes(UsableIsa(), Isa::kAvx512Bf16); }

}  // namespace dovetail::cpu
