// Sources of kernels that count what they do and can be stopped.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_COUNTED_SOURCE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_COUNTED_SOURCE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::vpu {

// The source with a call of dovetail_go(n), of prelude.cl, at the begin of each
// function and in the condition of each loop: n operations are done then, and
// the loop ends where it answers false. Lines stay where they are; comments
// become spaces.
//
// Operations are the operators of the text, each access by an index and each
// call of a function that the source does not have, but for identities of
// work items, barriers and DMA; macros count as what they stand for. Both sides
// of a condition count, and an operator of vectors counts once.
std::string CountedSource(absl::string_view source);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_COUNTED_SOURCE_H_
