// What sources for SHAVEs may take for granted, see prelude.cl.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_PRELUDE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_PRELUDE_H_

namespace dovetail::vpu {

extern const char kPrelude[];

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_PRELUDE_H_
