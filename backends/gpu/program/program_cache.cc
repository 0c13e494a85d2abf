#include "dovetail/backends/gpu/program/program_cache.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr char kSection[] = "program";

CacheKey KeyOf(const std::string& key) {
  return {absl::StrCat("OpenCL program ", key), {}};
}

}  // namespace

ProgramCache::ProgramCache(const std::string& folder, uint64_t size_limit) {
  if (!folder.empty()) folder_.emplace(folder, size_limit);
}

absl::StatusOr<std::shared_ptr<const ClProgram>> ProgramCache::Find(
    const std::shared_ptr<ClDevice>& device, const std::string& key) const {
  if (!folder_.has_value()) return NotFound("there is no cache");
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader reader, folder_->Find(KeyOf(key)));
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, reader.Section(kSection));
  DOVETAIL_ASSIGN_OR_RETURN(auto program,
                            ClProgram::FromBinary(device, bytes.view()));
  if (program->key() != key) return DataLoss("the program is of another key");
  return program;
}

absl::StatusOr<ProgramCache::Found> ProgramCache::FindOrBuild(
    const std::shared_ptr<ClDevice>& device,
    absl::Span<const KernelSource> sources, const BuildOptions& options) const {
  if (folder_.has_value() && options.max_kernels_per_program >= 1) {
    auto found = Find(device, ClProgram::Key(*device, sources, options));
    if (found.ok()) return Found{*std::move(found), true};
  }
  DOVETAIL_ASSIGN_OR_RETURN(auto built,
                            ClProgram::Build(device, sources, options));
  return Found{std::move(built), false};
}

absl::Status ProgramCache::Store(const ClProgram& program) const {
  if (!folder_.has_value()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const std::string bytes, program.Binary());
  return folder_->Store(KeyOf(program.key()), [&bytes](BlobWriter& writer) {
    return writer.AddSection(kSection, bytes);
  });
}

}  // namespace dovetail::gpu
