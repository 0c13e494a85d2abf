#include "dovetail/extensions/custom_kernels/source_file.h"

#include <filesystem>
#include <memory>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail {

absl::StatusOr<std::string> ReadSourceFile(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Read(path));
  return std::string(static_cast<const char*>(file->data()), file->size());
}

ReadSourceFn SourcesBeside(const std::string& configuration) {
  const auto folder = std::filesystem::path(configuration).parent_path();
  return [folder](const std::string& path) {
    return ReadSourceFile((folder / path).string());
  };
}

ReadSourceFn SourcesGiven(const std::map<std::string, std::string>& sources) {
  return [&sources](const std::string& path) -> absl::StatusOr<std::string> {
    const auto it = sources.find(path);
    if (it != sources.end()) return it->second;
    return NotFound("no source of this name was given");
  };
}

}  // namespace dovetail
