#include "dovetail/extensions/custom_op/custom_op.h"

#include <vector>

namespace dovetail {

OpLibrary MakeOpLibrary(const char* name, const char* description,
                        const char* build,
                        std::initializer_list<LibraryEntry> entries) {
  // For good: models and devices point to them.
  auto& rows = *new std::vector<const OpInfo*>();
  auto& kernels = *new std::vector<ReplacedKernel>();
  for (const LibraryEntry& entry : entries) {
    if (entry.row.type.empty()) {
      kernels.push_back(entry.kernel);
      continue;
    }
    auto* functions = new ExtensionOp(entry.functions);
    functions->extension = name;
    functions->build = build;
    auto* row = new OpInfo(entry.row);
    row->extension = functions;
    rows.push_back(row);
  }
  OpLibrary library = {};
  static_cast<ManifestHead&>(library) =
      MakeManifestHead(name, description, build);
  library.operations = rows;
  library.kernels = kernels;
  return library;
}

}  // namespace dovetail
