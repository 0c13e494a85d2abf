#include "dovetail/backends/gpu/plan/program_store.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr absl::string_view kIndex = "programs";

}  // namespace

absl::StatusOr<std::shared_ptr<const ClProgram>> ProgramStore::FindImported(
    const std::shared_ptr<ClDevice>& device, const std::string& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = imported_.find(key);
  if (it == imported_.end()) return NotFound("no program ", key);
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes,
                            source_->Section(it->second));
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const ClProgram> program,
                            ClProgram::FromBinary(device, bytes.view()));
  if (program->key() != key) return DataLoss("a program of another key");
  return program;
}

absl::StatusOr<ProgramCache::Found> ProgramStore::FindOrBuild(
    const std::shared_ptr<ClDevice>& device,
    absl::Span<const KernelSource> sources) {
  const BuildOptions options;
  auto imported =
      FindImported(device, ClProgram::Key(*device, sources, options));
  if (imported.ok()) return ProgramCache::Found{*std::move(imported), true};
  return cache_.FindOrBuild(device, sources, options);
}

void ProgramStore::Keep(std::shared_ptr<const ClProgram> program, bool is_new) {
  // A folder that cannot be written costs time, and no more.
  if (is_new) cache_.Store(*program).IgnoreError();
  std::lock_guard<std::mutex> lock(mutex_);
  kept_.push_back(std::move(program));
}

absl::Status ProgramStore::Export(BlobWriter& writer) const {
  std::lock_guard<std::mutex> lock(mutex_);
  ByteWriter index;
  index.Number(kept_.size());
  int count = 0;
  for (const std::shared_ptr<const ClProgram>& program : kept_) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string binary, program->Binary());
    const std::string section = absl::StrCat(kIndex, "/", count++);
    index.Text(program->key());
    index.Text(section);
    DOVETAIL_RETURN_IF_ERROR(writer.AddSection(section, binary));
  }
  return writer.AddSection(kIndex, index.bytes());
}

absl::Status ProgramStore::Import(const BlobReader& reader) {
  if (!reader.HasSection(kIndex)) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, reader.Section(kIndex));
  ByteReader index(bytes.view());
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, index.Count());
  std::map<std::string, std::string> imported;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view key, index.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view section, index.Text());
    imported.emplace(key, section);
  }
  DOVETAIL_RETURN_IF_ERROR(index.Finish());
  std::lock_guard<std::mutex> lock(mutex_);
  imported_ = std::move(imported);
  source_ = std::make_unique<BlobReader>(reader);
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
