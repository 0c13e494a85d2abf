#include "dovetail/core/blob/blob_writer.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_format.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail {

// What a writer and those nested in it have in common.
class BlobWriter::State {
 public:
  explicit State(ByteSink* sink) : sink_(*sink) {
    Write(blob::WriteBegin()).IgnoreError();  // status_ keeps it
  }

  absl::Status SetHeader(const std::string& key, absl::string_view value) {
    DOVETAIL_RETURN_IF_ERROR(CheckUnfinished());
    if (!table_.headers.emplace(key, value).second) {
      return Fail(InvalidArgument("the header has a text '", key, "' already"));
    }
    return absl::OkStatus();
  }

  absl::Status Begin(const std::string& name) {
    DOVETAIL_RETURN_IF_ERROR(CheckClosed());
    DOVETAIL_RETURN_IF_ERROR(Pad());
    DOVETAIL_ASSIGN_OR_RETURN(open_, AddEntry(name));
    open_->offset = position_;
    return absl::OkStatus();
  }

  absl::Status Append(absl::string_view bytes) {
    DOVETAIL_RETURN_IF_ERROR(CheckOpen());
    while (!bytes.empty()) {
      const absl::string_view piece =
          bytes.substr(0, blob::kChunkBytes - open_->size % blob::kChunkBytes);
      checksum_.Add(piece);
      DOVETAIL_RETURN_IF_ERROR(Write(piece));
      open_->size += piece.size();
      if (open_->size % blob::kChunkBytes == 0) EndChunk();
      bytes.remove_prefix(piece.size());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> AppendAligned(absl::string_view bytes) {
    DOVETAIL_RETURN_IF_ERROR(CheckOpen());
    const uint64_t offset = blob::AlignUp(open_->size);
    DOVETAIL_RETURN_IF_ERROR(Append(Zeros(offset - open_->size)));
    DOVETAIL_RETURN_IF_ERROR(Append(bytes));
    return offset;
  }

  absl::Status End() {
    DOVETAIL_RETURN_IF_ERROR(CheckOpen());
    if (open_->size % blob::kChunkBytes != 0) EndChunk();
    open_ = nullptr;
    return absl::OkStatus();
  }

  // As Begin, Append and End, but for its checksums, which are known by then.
  // What a section before has had, by size and checksums, stays where it has
  // been written: weights that several parts have. By address alone it could
  // not be told, since an import has in one place what its parts had each.
  absl::Status Add(const std::string& name, absl::string_view bytes) {
    DOVETAIL_RETURN_IF_ERROR(CheckClosed());
    const auto [before, is_new] =
        written_.try_emplace({bytes.size(), ChecksumsOf(bytes)}, nullptr);
    if (!is_new) {
      DOVETAIL_ASSIGN_OR_RETURN(blob::SectionEntry * entry, AddEntry(name));
      *entry = *before->second;
      return absl::OkStatus();
    }
    DOVETAIL_RETURN_IF_ERROR(Begin(name));
    blob::SectionEntry& entry = *std::exchange(open_, nullptr);
    entry.size = bytes.size();
    entry.checksums = before->first.second;
    before->second = &entry;
    return Write(bytes);
  }

  absl::Status AddReference(const std::string& name, const FileRange& range) {
    DOVETAIL_RETURN_IF_ERROR(CheckClosed());
    if (range.offset > range.file.size ||
        range.size > range.file.size - range.offset) {
      return Fail(InvalidArgument("section '", name, "': ", range.file.path,
                                  " has ", range.file.size,
                                  " bytes, there are none from ", range.offset,
                                  " to ", range.offset + range.size));
    }
    DOVETAIL_ASSIGN_OR_RETURN(blob::SectionEntry * entry, AddEntry(name));
    entry->is_reference = true;
    entry->size = range.size;
    entry->reference = range;
    return absl::OkStatus();
  }

  absl::Status Finish() {
    DOVETAIL_RETURN_IF_ERROR(CheckClosed());
    finished_ = true;
    return Write(blob::WriteEnd(table_, position_));
  }

  absl::Status Fail(absl::Status status) {
    status_.Update(status);
    return status;
  }

 private:
  using Contents = std::pair<size_t, std::vector<uint64_t>>;

  static std::vector<uint64_t> ChecksumsOf(absl::string_view bytes) {
    std::vector<uint64_t> checksums;
    for (; !bytes.empty(); bytes.remove_prefix(
             std::min<size_t>(bytes.size(), blob::kChunkBytes))) {
      checksums.push_back(Checksum(bytes.substr(0, blob::kChunkBytes)));
    }
    return checksums;
  }

  static absl::string_view Zeros(uint64_t count) {
    static constexpr char kZeros[blob::kAlignment] = {};
    return {kZeros, count};
  }

  absl::Status CheckUnfinished() {
    DOVETAIL_RETURN_IF_ERROR(status_);
    if (!finished_) return absl::OkStatus();
    return Fail(FailedPrecondition("the container is finished already"));
  }
  absl::Status CheckOpen() {
    DOVETAIL_RETURN_IF_ERROR(CheckUnfinished());
    if (open_ != nullptr) return absl::OkStatus();
    return Fail(FailedPrecondition("no section of the container is open"));
  }
  absl::Status CheckClosed() {
    DOVETAIL_RETURN_IF_ERROR(CheckUnfinished());
    if (open_ == nullptr) return absl::OkStatus();
    return Fail(FailedPrecondition("a section of the container is open still"));
  }

  absl::StatusOr<blob::SectionEntry*> AddEntry(const std::string& name) {
    const auto [it, is_new] = table_.sections.try_emplace(name);
    if (!is_new) {
      return Fail(
          InvalidArgument("the container has a section '", name, "' already"));
    }
    return &it->second;
  }

  absl::Status Pad() {
    return Write(Zeros(blob::AlignUp(position_) - position_));
  }

  void EndChunk() { open_->checksums.push_back(checksum_.Take()); }

  absl::Status Write(absl::string_view bytes) {
    if (bytes.empty()) return absl::OkStatus();
    DOVETAIL_RETURN_IF_ERROR(Fail(sink_.Append(bytes)));
    position_ += bytes.size();
    return absl::OkStatus();
  }

  ByteSink& sink_;
  absl::Status status_;
  uint64_t position_ = 0;  // in the container
  blob::Table table_;
  std::map<Contents, const blob::SectionEntry*> written_;  // by Add
  blob::SectionEntry* open_ = nullptr;
  RunningChecksum checksum_;  // of the open section's last chunk
  bool finished_ = false;
};

BlobWriter::BlobWriter(ByteSink* sink)
    : state_(std::make_shared<State>(sink)) {}

BlobWriter::BlobWriter(std::shared_ptr<State> state, std::string prefix)
    : state_(std::move(state)), prefix_(std::move(prefix)) {}

BlobWriter BlobWriter::Nested(absl::string_view prefix) const {
  return BlobWriter(state_, absl::StrCat(prefix_, prefix, "/"));
}

absl::Status BlobWriter::SetHeader(absl::string_view key,
                                   absl::string_view value) {
  if (key.empty()) {
    return state_->Fail(InvalidArgument("a text of a header needs a key"));
  }
  return state_->SetHeader(absl::StrCat(prefix_, key), value);
}

absl::Status BlobWriter::AddSection(absl::string_view name,
                                    absl::string_view bytes) {
  if (name.empty()) {
    return state_->Fail(InvalidArgument("a section needs a name"));
  }
  return state_->Add(absl::StrCat(prefix_, name), bytes);
}

absl::Status BlobWriter::BeginSection(absl::string_view name) {
  if (name.empty()) {
    return state_->Fail(InvalidArgument("a section needs a name"));
  }
  return state_->Begin(absl::StrCat(prefix_, name));
}

absl::Status BlobWriter::Append(absl::string_view bytes) {
  return state_->Append(bytes);
}

absl::StatusOr<uint64_t> BlobWriter::AppendAligned(absl::string_view bytes) {
  return state_->AppendAligned(bytes);
}

absl::Status BlobWriter::EndSection() { return state_->End(); }

absl::Status BlobWriter::AddReference(absl::string_view name,
                                      const FileRange& range) {
  if (name.empty()) {
    return state_->Fail(InvalidArgument("a section needs a name"));
  }
  return state_->AddReference(absl::StrCat(prefix_, name), range);
}

absl::Status BlobWriter::Finish() {
  if (!prefix_.empty()) {
    return state_->Fail(
        FailedPrecondition("a nested writer does not finish the container"));
  }
  return state_->Finish();
}

}  // namespace dovetail
