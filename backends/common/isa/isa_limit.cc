#include "dovetail/backends/common/isa/isa_limit.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

struct Level {
  Isa isa;
  absl::string_view name;
  absl::string_view onednn_name;
  unsigned instructions;  // a bit for what a level adds
};

constexpr unsigned kAvx2 = 1, kVnni = 2, kVnni2 = 4, kAvx512 = 8,
                   kAvx512Vnni = 16, kBf16 = 32, kFp16 = 64, kAmx = 128,
                   kRest = 256;

// By Isa.
constexpr Level kLevels[] = {
    {Isa::kNone, "NONE", "SSE41", 0},
    {Isa::kAvx2, "AVX2", "AVX2", kAvx2},
    {Isa::kAvx2Vnni, "AVX2_VNNI", "AVX2_VNNI", kAvx2 | kVnni},
    {Isa::kAvx2Vnni2, "AVX2_VNNI_2", "AVX2_VNNI_2", kAvx2 | kVnni | kVnni2},
    {Isa::kAvx512, "AVX512", "AVX512_CORE", kAvx2 | kAvx512},
    {Isa::kAvx512Vnni, "AVX512_VNNI", "AVX512_CORE_VNNI",
     kAvx2 | kAvx512 | kAvx512Vnni},
    {Isa::kAvx512Bf16, "AVX512_BF16", "AVX512_CORE_BF16",
     kAvx2 | kAvx512 | kAvx512Vnni | kBf16},
    {Isa::kAvx512Fp16, "AVX512_FP16", "AVX512_CORE_FP16",
     kAvx2 | kVnni | kAvx512 | kAvx512Vnni | kBf16 | kFp16},
    {Isa::kAvx512Amx, "AVX512_AMX", "AVX512_CORE_AMX",
     kAvx2 | kVnni | kAvx512 | kAvx512Vnni | kBf16 | kFp16 | kAmx},
    {Isa::kAll, "DEFAULT", "DEFAULT", 2 * kRest - 1},
};

const Level& LevelOf(Isa isa) { return kLevels[static_cast<int>(isa)]; }

// The other names that oneDNN has for levels.
absl::string_view WithoutAlias(absl::string_view onednn_name) {
  if (absl::EqualsIgnoreCase(onednn_name, "AVX")) return "SSE41";
  if (absl::EqualsIgnoreCase(onednn_name, "AVX10_1_512")) {
    return "AVX512_CORE_FP16";
  }
  if (absl::EqualsIgnoreCase(onednn_name, "AVX10_1_512_AMX")) {
    return "AVX512_CORE_AMX";
  }
  return onednn_name;
}

Isa OneDnnLimit(const char* value) {
  if (value == nullptr) return Isa::kAll;
  const absl::string_view name = WithoutAlias(value);
  for (const Level& level : kLevels) {
    if (absl::EqualsIgnoreCase(name, level.onednn_name)) return level.isa;
  }
  return Isa::kAll;
}

absl::StatusOr<Isa> OwnLimit(const char* value) {
  if (value == nullptr || *value == '\0') return Isa::kAll;
  std::vector<absl::string_view> names;
  for (const Level& level : kLevels) {
    if (level.isa == Isa::kNone) continue;
    if (absl::EqualsIgnoreCase(value, level.name)) return level.isa;
    names.push_back(level.name);
  }
  return InvalidArgument("DOVETAIL_MAX_CPU_ISA is '", value,
                         "', and should be one of ",
                         absl::StrJoin(names, ", "));
}

// oneDNN reads its variable by its new name and by its old one.
const char* OneDnnVariable() {
  const char* value = std::getenv("ONEDNN_MAX_CPU_ISA");
  const bool is_set = value != nullptr && *value != '\0';
  return is_set ? value : std::getenv("DNNL_MAX_CPU_ISA");
}

}  // namespace

absl::string_view IsaName(Isa isa) { return LevelOf(isa).name; }

bool Includes(Isa isa, Isa part) {
  return (LevelOf(part).instructions & ~LevelOf(isa).instructions) == 0;
}

absl::StatusOr<Isa> IsaLimitOf(const char* max_cpu_isa,
                               const char* onednn_max_cpu_isa) {
  DOVETAIL_ASSIGN_OR_RETURN(const Isa own, OwnLimit(max_cpu_isa));
  const Isa onednn = OneDnnLimit(onednn_max_cpu_isa);
  Isa both = Isa::kNone;
  for (const Level& level : kLevels) {
    if (Includes(own, level.isa) && Includes(onednn, level.isa)) {
      both = level.isa;
    }
  }
  return both;
}

const absl::StatusOr<Isa>& IsaLimit() {
  static const auto& limit = *new absl::StatusOr<Isa>(
      IsaLimitOf(std::getenv("DOVETAIL_MAX_CPU_ISA"), OneDnnVariable()));
  return limit;
}

}  // namespace dovetail
