// A table of layer times whose input had another size than it says.
#ifndef DOVETAIL_BENCH_VPU_RESIZED_H_
#define DOVETAIL_BENCH_VPU_RESIZED_H_

#include <cstdint>

#include "dovetail/bench/vpu/dump.h"

namespace dovetail::vpu {

// The layers for square inputs of `to` pixels in place of `from`, their times
// as they are: an extent that is `from` halved up to five times, and up to 8
// pixels of padding more, becomes `to` halved as often, rounded up, and the
// same padding.
Dump Resized(Dump dump, int64_t from, int64_t to);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BENCH_VPU_RESIZED_H_
