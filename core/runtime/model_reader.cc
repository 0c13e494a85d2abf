#include "dovetail/core/runtime/model_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail {

ModelReaders& ModelReaders::Global() {
  return ProcessWide<ModelReaders>("core/runtime model readers");
}

void ModelReaders::Add(std::unique_ptr<ModelReader> reader) {
  std::lock_guard<std::mutex> lock(mutex_);
  readers_.push_back(std::move(reader));
}

std::vector<std::string> ModelReaders::Names() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const auto& reader : readers_) names.emplace_back(reader->name());
  return names;
}

const ModelReader* ModelReaders::Find(const std::string& path,
                                      absl::string_view first_bytes) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& reader : readers_) {
    if (reader->CanRead(path, first_bytes)) return reader.get();
  }
  return nullptr;
}

absl::StatusOr<const ModelReader*> ModelReaders::ReaderOf(
    const std::string& path) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  const absl::string_view first_bytes(static_cast<const char*>(file->data()),
                                      std::min(file->size(), kProbeBytes));
  if (const ModelReader* reader = Find(path, first_bytes)) return reader;
  return Annotate(UnknownFormat(), absl::StrCat("'", path, "'"));
}

absl::Status ModelReaders::UnknownFormat() const {
  const std::vector<std::string> names = Names();
  if (names.empty()) {
    return InvalidArgument(
        "cannot be read: the program is linked without any reader of model ",
        "files; add //extensions/ir to its deps");
  }
  return InvalidArgument("is in no format that can be read: ",
                         absl::StrJoin(names, ", "));
}

absl::StatusOr<std::unique_ptr<Model>> ModelReaders::Read(
    const std::string& path, const ReadSettings& settings) const {
  const ScopedTrace trace("core", "read");
  DOVETAIL_ASSIGN_OR_RETURN(const ModelReader* reader, ReaderOf(path));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model,
                            reader->Read(path, settings));
  if (model != nullptr) return model;
  return Internal("the reader of ", reader->name(), " gave no model for '",
                  path, "'");
}

absl::StatusOr<std::unique_ptr<Model>> ModelReaders::ReadFromMemory(
    absl::string_view text, const Tensor& weights,
    const ReadSettings& settings) const {
  const ModelReader* reader = Find("", text.substr(0, kProbeBytes));
  if (reader == nullptr) return Annotate(UnknownFormat(), "the model's text");
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model,

                            reader->ReadFromMemory(text, weights, settings));
  if (model != nullptr) return model;
  return Internal("the reader of ", reader->name(), " gave no model");
}

absl::StatusOr<std::vector<std::string>> ModelReaders::FilesOf(
    const std::string& path) const {
  DOVETAIL_ASSIGN_OR_RETURN(const ModelReader* reader, ReaderOf(path));
  std::vector<std::string> files;
  for (std::string& file : reader->FilesOf(path)) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace dovetail
