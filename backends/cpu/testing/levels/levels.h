// The levels of instructions at which tests of the device run.
#ifndef DOVETAIL_BACKENDS_CPU_TESTING_LEVELS_LEVELS_H_
#define DOVETAIL_BACKENDS_CPU_TESTING_LEVELS_LEVELS_H_

#include <array>

#include "dovetail/backends/common/isa/isa_limit.h"

namespace dovetail::cpu {

// All that there are, a level behind those that it includes.
inline constexpr std::array<Isa, 8> kTestLevels = {
    Isa::kAvx2,       Isa::kAvx2Vnni,   Isa::kAvx2Vnni2,  Isa::kAvx512,
    Isa::kAvx512Vnni, Isa::kAvx512Bf16, Isa::kAvx512Fp16, Isa::kAvx512Amx};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TESTING_LEVELS_LEVELS_H_
