#include "dovetail/backends/gpu/custom/kernel_files.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/reader.h"

namespace dovetail::gpu {
namespace {

using Kernels = std::shared_ptr<const std::vector<CustomKernel>>;

constexpr size_t kMaxFiles = 16;

std::vector<std::string> FilesOf(const std::string& path,
                                 const std::vector<CustomKernel>& kernels) {
  std::vector<std::string> files = {path};
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  for (const CustomKernel& kernel : kernels) {
    for (const CustomSource& source : kernel.sources) {
      files.push_back((folder / source.name).string());
      for (const std::string& include : source.includes) {
        files.push_back((folder / include).string());
      }
    }
    if (!kernel.binary.name.empty()) {
      files.push_back((folder / kernel.binary.name).string());
    }
  }
  return files;
}

// Nothing: one of them may change unseen.
std::optional<std::string> IdentityOf(const std::vector<std::string>& files) {
  std::string all;
  for (const std::string& path : files) {
    const auto file = IdentifyFile(path);
    if (absl::IsNotFound(file.status())) {
      absl::StrAppend(&all, path, " is not there\n");
      continue;
    }
    if (!file.ok() || !file->settled) return std::nullopt;
    absl::StrAppend(&all, file->ToString(), "\n");
  }
  return all;
}

struct Remembered {
  std::string identity;
  Kernels kernels;
};

struct Memory {
  std::mutex mutex;
  std::map<std::string, Remembered> files;  // guarded by mutex
};

Memory& Files() {
  static auto& memory = *new Memory;
  return memory;
}

}  // namespace

absl::StatusOr<Kernels> KernelsOfFile(const std::string& path) {
  Memory& memory = Files();
  std::lock_guard<std::mutex> lock(memory.mutex);
  const auto it = memory.files.find(path);
  if (it != memory.files.end()) {
    const auto now = IdentityOf(FilesOf(path, *it->second.kernels));
    if (now.has_value() && *now == it->second.identity) {
      return it->second.kernels;
    }
    memory.files.erase(it);
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<CustomKernel> read,
                            ReadCustomKernels(path));
  // A file that changed while it was read has not settled behind that.
  const auto identity = IdentityOf(FilesOf(path, read));
  auto kernels =
      std::make_shared<const std::vector<CustomKernel>>(std::move(read));
  if (memory.files.size() >= kMaxFiles) memory.files.clear();
  if (identity.has_value()) memory.files[path] = {*identity, kernels};
  return kernels;
}

}  // namespace dovetail::gpu
