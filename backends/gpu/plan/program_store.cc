#include "dovetail/backends/gpu/plan/program_store.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/plan/recent_programs.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr absl::string_view kIndex = "programs";

BuildOptions OptionsOf(const KernelSource& source) {
  BuildOptions options;
  if (absl::StrContains(source.flags, "-cl-std")) {
    options.flags = source.flags;
  } else if (!source.flags.empty()) {
    absl::StrAppend(&options.flags, " ", source.flags);
  }
  return options;
}

// What a user's text asks for and the device lacks is mostly why it does not
// build.
std::string Lacking(const KernelSource& source, const DeviceTraits& traits) {
  std::string lacking;
  const auto add = [&](bool has, absl::string_view word,
                       absl::string_view feature) {
    if (has || !absl::StrContains(source.text, word)) return;
    absl::StrAppend(&lacking, "\n'", traits.name, "' has no ", feature,
                    ", which the source asks for");
  };
  add(traits.has_subgroups, "sub_group", "sub-groups (cl_khr_subgroups)");
  add(traits.has_fp16, "cl_khr_fp16", "arithmetic of halves (cl_khr_fp16)");
  add(traits.has_fp64, "double", "double precision (cl_khr_fp64)");
  return lacking;
}

absl::Status OfUser(const absl::Status& status, const KernelSource& source,
                    const DeviceTraits& traits) {
  std::string message(status.message());
  if (source.binary.empty()) {
    absl::StrAppend(&message, Lacking(source, traits));
  } else {
    absl::StrAppend(&message, "; it has to be of driver '",
                    traits.BinaryIdentity(), "'");
  }
  return Annotate(absl::Status(status.code(), message), source.origin);
}

size_t TextBytes(absl::Span<const KernelSource> sources) {
  size_t bytes = 0;
  for (const KernelSource& source : sources) {
    bytes += source.text.size();
    for (const std::string& helper : source.helpers) bytes += helper.size();
  }
  return bytes;
}

}  // namespace

absl::Status ProgramStore::Build(const std::shared_ptr<ClDevice>& device,
                                 const std::vector<KernelSource>& sources,
                                 std::vector<std::string> ids, Found& found) {
  const KernelSource& first = sources.front();
  // A user's may include files, which change.
  const bool is_kept = !cache_.has_folder() && !first.is_alone();
  RecentPrograms& recent = RecentPrograms::OfProcess();
  if (is_kept) {
    auto program = recent.Find(
        *device, ClProgram::Key(*device, sources, OptionsOf(first)));
    if (program != nullptr) {
      found.built.push_back(program);
      Add({std::move(program), std::move(ids)});
      return absl::OkStatus();
    }
  }
  auto built = cache_.FindOrBuild(device, sources, OptionsOf(first));
  if (!built.ok()) {
    return first.is_alone() ? OfUser(built.status(), first, device->traits())
                            : built.status();
  }
  if (!built->from_cache) found.built.push_back(built->program);
  if (is_kept) recent.Add(built->program, TextBytes(sources), kept_text_);
  Add({std::move(built->program), std::move(ids)});
  return absl::OkStatus();
}

void ProgramStore::Add(Program program) {
  for (size_t i = 0; i < program.ids.size(); ++i) {
    kernels_[program.ids[i]] = {program.program, static_cast<int>(i)};
  }
  programs_.push_back(std::move(program));
}

// The imported program that has the kernel of that id, if one has and it fits.
void ProgramStore::Load(const std::shared_ptr<ClDevice>& device,
                        const std::string& id) {
  const auto it = sections_.find(id);
  if (it == sections_.end()) return;
  const std::string section = it->second;
  const std::vector<std::string>& ids = ids_[section];
  const auto load = [&]() -> absl::StatusOr<std::shared_ptr<const ClProgram>> {
    DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, source_->Section(section));
    return ClProgram::FromBinary(device, bytes.view());
  };
  auto program = load();
  // Nobody asks again for one that does not fit.
  for (const std::string& one : ids) sections_.erase(one);
  if (!program.ok() ||
      (*program)->kernel_count() != static_cast<int>(ids.size())) {
    return;
  }
  Add({*std::move(program), ids});
}

absl::StatusOr<ProgramStore::Found> ProgramStore::FindOrBuild(
    const std::shared_ptr<ClDevice>& device,
    absl::Span<const KernelSource> sources) {
  std::vector<std::string> ids, missing_ids;
  std::vector<KernelSource> missing;
  // Held while the driver builds, which takes one program at a time anyway.
  std::lock_guard<std::mutex> lock(mutex_);
  Found found;
  for (const KernelSource& source : sources) {
    ids.push_back(ClProgram::Key(*device, {source}, OptionsOf(source)));
    const std::string& id = ids.back();
    if (kernels_.count(id) == 0) Load(device, id);
    if (kernels_.count(id) != 0 || absl::c_linear_search(missing_ids, id)) {
      continue;
    }
    if (source.is_alone()) {
      DOVETAIL_RETURN_IF_ERROR(Build(device, {source}, {id}, found));
      continue;
    }
    missing_ids.push_back(id);
    missing.push_back(source);
  }
  if (!missing.empty()) {
    DOVETAIL_RETURN_IF_ERROR(
        Build(device, missing, std::move(missing_ids), found));
  }
  for (const std::string& id : ids) found.kernels.push_back(kernels_.at(id));
  return found;
}

// A folder that cannot be written costs time, and no more.
void ProgramStore::Store(const ClProgram& built) const {
  const absl::Status stored = cache_.Store(built);
  if (stored.ok()) return;
  std::call_once(one_is_told_, [&] {
    DOVETAIL_LOG(kWarning,
                 "GPU: kernels are not cached, and are built again each time: ",
                 stored.message());
  });
}

absl::Status ProgramStore::Export(BlobWriter& writer) const {
  std::lock_guard<std::mutex> lock(mutex_);
  ByteWriter index;
  index.Number(programs_.size());
  int count = 0;
  for (const Program& one : programs_) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string binary, one.program->Binary());
    const std::string section = absl::StrCat(kIndex, "/", count++);
    index.Text(section);
    index.Number(one.ids.size());
    for (const std::string& id : one.ids) index.Text(id);
    DOVETAIL_RETURN_IF_ERROR(writer.AddSection(section, binary));
  }
  return writer.AddSection(kIndex, index.bytes());
}

absl::Status ProgramStore::Import(const BlobReader& reader) {
  if (!reader.HasSection(kIndex)) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, reader.Section(kIndex));
  ByteReader index(bytes.view());
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, index.Count());
  std::map<std::string, std::string> sections;
  std::map<std::string, std::vector<std::string>> ids;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view section, index.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const size_t kernels, index.Count());
    for (size_t k = 0; k < kernels; ++k) {
      DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view id, index.Text());
      sections.emplace(id, section);
      ids[std::string(section)].emplace_back(id);
    }
  }
  DOVETAIL_RETURN_IF_ERROR(index.Finish());
  std::lock_guard<std::mutex> lock(mutex_);
  sections_ = std::move(sections);
  ids_ = std::move(ids);
  source_ = std::make_unique<BlobReader>(reader);
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
