#include "dovetail/core/runtime/files.h"

#include <memory>

#include "dovetail/core/base/atomic_file.h"
#include "dovetail/core/base/status.h"

namespace dovetail {

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> file,
                            AtomicFile::Create(path));
  DOVETAIL_RETURN_IF_ERROR(file->Append(bytes));
  return file->Commit();
}

}  // namespace dovetail
