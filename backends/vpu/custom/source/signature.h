// The signature of a kernel in its source.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SIGNATURE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SIGNATURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dovetail::vpu {

struct Signature {
  std::string parameters;          // the text between the parentheses
  std::vector<std::string> names;  // of the parameters
};

// Of `void entry(...)`, the first that is followed by a body; comments do not
// count. Nothing: there is none.
std::optional<Signature> FindSignature(absl::string_view source,
                                       absl::string_view entry);

// Of all functions that are kernels, in their order, but for the side kernels of
// others ("__dma_preload_f").
std::vector<std::string> KernelNames(absl::string_view source);

// The text with spaces in place of comments, line by line.
std::string WithoutComments(absl::string_view source);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SOURCE_SIGNATURE_H_
