// Text that asks for memory before it is read.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_PREFETCH_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_PREFETCH_TEXT_H_

#include "absl/strings/string_view.h"

namespace dovetail::gpu {

// PREFETCH(pointer): the line there, into the second cache. A text may have it
// twice. `prefetch` of OpenCL C does nothing on drivers for processors.
inline constexpr absl::string_view kPrefetchText = R"(
#ifdef __clang__
#define PREFETCH(pointer) \
  __builtin_prefetch((const void*)(size_t)(pointer), 0, 2)
#else
#define PREFETCH(pointer) prefetch(pointer, 16)
#endif
)";

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_PREFETCH_TEXT_H_
