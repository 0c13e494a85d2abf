#include "dovetail/tools/estimating/program_file.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/program/program_bytes.h"
#include "dovetail/backends/vpu/program/program_text.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/tools/cli/output/text_file.h"

namespace dovetail::cli {
namespace {

absl::StatusOr<vpu::Program> ProgramOfExport(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader blob, BlobReader::Open(path));
  std::vector<std::string> sections;
  for (const std::string& name : blob.section_names()) {
    if (absl::StrContains(name, vpu::kProgramSection)) sections.push_back(name);
  }
  if (sections.size() != 1) {
    return InvalidArgument("'", path, "' is an exported model with ",
                           sections.size(),
                           " programs of a vision processor; want one that was "
                           "compiled for VPU with static shapes, or the file "
                           "that it was compiled from");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, blob.Section(sections[0]));
  return vpu::ReadProgramBytes(bytes.view());
}

absl::StatusOr<vpu::Program> ProgramOfBytes(absl::string_view bytes,
                                            const std::string& path) {
  if (vpu::IsProgramText(bytes)) return vpu::ParseProgramText(bytes, path);
  auto program = vpu::ReadProgramBytes(bytes);
  if (program.ok()) return program;
  return Annotate(program.status(), path);
}

template <typename T>
absl::StatusOr<std::optional<T>> Some(absl::StatusOr<T> value) {
  DOVETAIL_RETURN_IF_ERROR(value.status());
  return std::optional<T>(*std::move(value));
}

}  // namespace

absl::StatusOr<std::optional<vpu::Program>> ReadProgramFile(
    const std::string& path) {
  // Who reads the file as a model says what is wrong with it.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  const absl::string_view bytes(static_cast<const char*>(file->data()),
                                file->size());
  if (BlobReader::IsContainer(bytes)) return Some(ProgramOfExport(path));
  if (!vpu::IsProgram(bytes) && !vpu::IsProgramText(bytes)) {
    return std::nullopt;
  }
  return Some(ProgramOfBytes(bytes, path));
}

absl::Status WriteProgramFile(const vpu::Program& program,
                              const std::string& path) {
  return WriteText(absl::EndsWith(path, ".txt") ? vpu::ProgramText(program)
                                                : vpu::ProgramBytes(program),
                   path);
}

}  // namespace dovetail::cli
