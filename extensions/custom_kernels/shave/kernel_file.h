// Kernels for vision processors that were compiled before: files that stand in
// the place of a source.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_KERNEL_FILE_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_KERNEL_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// One kernel. What a driver made is for that driver on such a processor alone;
// elsewhere the text is compiled again.
struct ShaveKernelFile {
  std::string entry;
  std::string text;      // of OpenCL C, with what it includes
  std::string compiler;  // that made the binary, and what it knew
  std::string binary;
};

// A mark, a version, the parts, and a checksum of them.
std::string WriteShaveKernelFile(const ShaveKernelFile& file);

// Whether the bytes begin as those of such a file do, sound or not.
bool IsShaveKernelFile(absl::string_view bytes);

// kInvalidArgument for bytes that are none, kFailedPrecondition for another
// version, kDataLoss for damage.
absl::StatusOr<ShaveKernelFile> ReadShaveKernelFile(absl::string_view bytes);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_KERNEL_FILE_H_
