// The reader of custom kernels for vision processors: XML of the type "MVCL".
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_READER_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_READER_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail {

// The layers of a file in its order, with their sources, which lie relative to
// its folder, and what these include in quotes. kNotFound for a file that is
// not there, kInvalidArgument otherwise: messages name file, line, layer,
// element and attribute, and what would be right. <Parameters> and <WorkSizes>
// may stand in <Kernel>, or beside it where there is one.
absl::StatusOr<std::vector<ShaveLayer>> ReadShaveLayers(
    const std::string& path);

// The same from memory. `name` stands for the file in messages; `sources` has
// the text of each "filename".
absl::StatusOr<std::vector<ShaveLayer>> ParseShaveLayers(
    absl::string_view xml, const std::string& name,
    const std::map<std::string, std::string>& sources);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_READER_H_
