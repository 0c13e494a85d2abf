// For which machines constants are packed.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_PACKING_PLATFORM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_PACKING_PLATFORM_H_

#include <string>

namespace dovetail::cpu {

// Equal texts: what one process has packed, the other can use. The instructions
// in use, as widths of vectors decide how bytes lie; oneDNN's version; and that
// of own kernels.
std::string PackingPlatform();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_PACKING_PLATFORM_H_
