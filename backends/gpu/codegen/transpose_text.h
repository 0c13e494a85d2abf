// The text that transposes a square of vectors.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_TRANSPOSE_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_TRANSPOSE_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::gpu {

// Statements that declare vectors e0 … e15 of a type of 16 lanes, such as
// "uint16": lane i of e0 is lane 0 of ai, and so on.
std::string TransposeText(absl::string_view type);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_TRANSPOSE_TEXT_H_
