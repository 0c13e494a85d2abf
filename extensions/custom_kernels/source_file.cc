#include "dovetail/extensions/custom_kernels/source_file.h"

#include <memory>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail {

absl::StatusOr<std::string> ReadSourceFile(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Read(path));
  return std::string(static_cast<const char*>(file->data()), file->size());
}

}  // namespace dovetail
