// The reader of custom kernels' configurations: XML of the type "SimpleGPU".
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_READER_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_READER_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail {

// The kernels of a file, with their sources, which lie relative to its folder,
// and what these include (includes.h).
// Of several for one layer the last is in the list. kNotFound for a file that
// is not there, kInvalidArgument otherwise: messages name file, line, layer,
// element and attribute, and what would be right.
absl::StatusOr<std::vector<CustomKernel>> ReadCustomKernels(
    const std::string& path);

// The same from memory. `name` stands for the file in messages; `sources` has
// the text of each "filename", and of what that includes.
absl::StatusOr<std::vector<CustomKernel>> ParseCustomKernels(
    absl::string_view xml, const std::string& name,
    const std::map<std::string, std::string>& sources);

// Whether that would be read, but for the sources, which may come later.
absl::Status CheckCustomKernels(absl::string_view xml, const std::string& name);

// The texts of files by name, from XML of `<Source filename="a.cl">text
// </Source>` elements, one behind the other; encoding="base64" is for what is
// no text. Errors as above.
absl::StatusOr<std::map<std::string, std::string>> ParseSources(
    absl::string_view xml, const std::string& name);
// That XML.
std::string WriteSources(const std::map<std::string, std::string>& sources);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_READER_H_
