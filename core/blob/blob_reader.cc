#include "dovetail/core/blob/blob_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_format.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail {
namespace {

// Threads that compare checksums of one section, and chunks for each at least.
constexpr uint64_t kMaxThreads = 4;
constexpr uint64_t kChunksOfThread = 8;

// The number of the first chunk that is damaged, or of chunks.
uint64_t FirstDamaged(absl::string_view bytes,
                      absl::Span<const uint64_t> checksums) {
  std::atomic<uint64_t> next = 0, first_damaged = checksums.size();
  const auto compare = [&] {
    for (uint64_t i; (i = next.fetch_add(1)) < first_damaged.load();) {
      const uint64_t begin = i * blob::kChunkBytes;
      if (Checksum(bytes.substr(begin, blob::kChunkBytes)) != checksums[i]) {
        uint64_t other = first_damaged.load();
        while (i < other && !first_damaged.compare_exchange_weak(other, i)) {
        }
      }
    }
  };
  const uint64_t threads =
      std::min({kMaxThreads, uint64_t{std::thread::hardware_concurrency()},
                checksums.size() / kChunksOfThread});
  std::vector<std::thread> helpers;
  try {
    helpers.reserve(threads);
    for (uint64_t i = 1; i < threads; ++i) helpers.emplace_back(compare);
  } catch (const std::exception&) {
    // As many as the system gives.
  }
  compare();
  for (std::thread& helper : helpers) helper.join();
  return first_damaged.load();
}

// The bytes in memory of their own, aligned like a mapped file's.
absl::StatusOr<std::shared_ptr<const void>> AlignedCopy(
    absl::string_view bytes) {
  constexpr std::align_val_t kAlignment{blob::kAlignment};
  void* copy = operator new(bytes.size(), kAlignment, std::nothrow);
  if (copy == nullptr) {
    return ResourceExhausted("there is no memory for ", bytes.size(),
                             " bytes of an exported model");
  }
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return std::shared_ptr<const void>(
      copy, [](void* memory) { operator delete(memory, kAlignment); });
}

// What tells a file from the one that was meant, or "".
std::string Difference(const FileIdentity& meant, const FileIdentity& found) {
  if (meant.size != found.size) {
    return absl::StrCat("has ", found.size, " bytes instead of ", meant.size);
  }
  if (meant.modified_ns != found.modified_ns) {
    return absl::StrCat("was changed at ", found.modified_ns,
                        " ns since 1970, not at ", meant.modified_ns);
  }
  return "";
}

}  // namespace

class BlobReader::State {
 public:
  struct Section {
    blob::SectionEntry entry;
    std::once_flag once;
    // What the first call has found.
    absl::StatusOr<BlobBytes> bytes;
  };

  static absl::StatusOr<std::shared_ptr<State>> Make(
      absl::string_view bytes, std::shared_ptr<const void> owner,
      const std::string& path) {
    DOVETAIL_ASSIGN_OR_RETURN(blob::Table table, blob::ReadTable(bytes));
    auto state = std::make_shared<State>();
    state->bytes_ = bytes;
    state->owner_ = std::move(owner);
    state->path_ = path;
    state->headers_ = std::move(table.headers);
    for (auto& [name, entry] : table.sections) {
      state->sections_[name].entry = std::move(entry);
    }
    return state;
  }

  absl::StatusOr<Section*> Find(const std::string& name) {
    const auto it = sections_.find(name);
    if (it != sections_.end()) return &it->second;
    return NotFound(Called(), " has no section '", name, "'");
  }

  absl::StatusOr<BlobBytes> Bytes(const std::string& name) {
    DOVETAIL_ASSIGN_OR_RETURN(Section * section, Find(name));
    std::call_once(section->once, [&] {
      section->bytes = section->entry.is_reference
                           ? Resolve(section->entry.reference)
                           : Check(section->entry);
      if (section->bytes.ok()) return;
      section->bytes =
          Annotate(section->bytes.status(),
                   absl::StrCat(Called(), ", section '", name, "'"));
    });
    return section->bytes;
  }

  absl::StatusOr<BlobBytes> UncheckedBytes(const std::string& name) {
    DOVETAIL_ASSIGN_OR_RETURN(Section * section, Find(name));
    const blob::SectionEntry& entry = section->entry;
    if (entry.is_reference) return Bytes(name);
    return BlobBytes{bytes_.data() + entry.offset,
                     static_cast<size_t>(entry.size), owner_};
  }

  absl::Status CheckRange(const std::string& name, uint64_t offset,
                          uint64_t size) {
    DOVETAIL_ASSIGN_OR_RETURN(Section * section, Find(name));
    const blob::SectionEntry& entry = section->entry;
    if (offset > entry.size || size > entry.size - offset) {
      return OutOfRange(Called(), ", section '", name, "' has ", entry.size,
                        " bytes, not ", size, " from ", offset);
    }
    if (entry.is_reference || size == 0) return absl::OkStatus();
    const uint64_t first = offset / blob::kChunkBytes;
    const uint64_t last = (offset + size - 1) / blob::kChunkBytes;
    const absl::string_view bytes =
        bytes_.substr(entry.offset, entry.size)
            .substr(first * blob::kChunkBytes,
                    (last - first + 1) * blob::kChunkBytes);
    const uint64_t damaged = FirstDamaged(
        bytes,
        absl::MakeConstSpan(entry.checksums).subspan(first, last - first + 1));
    if (damaged > last - first) return absl::OkStatus();
    return Annotate(Damaged(entry, first + damaged),
                    absl::StrCat(Called(), ", section '", name, "'"));
  }

  const std::map<std::string, std::string, std::less<>>& headers() const {
    return headers_;
  }
  const std::map<std::string, Section>& sections() const { return sections_; }
  const std::string& path() const { return path_; }
  uint64_t size() const { return bytes_.size(); }

 private:
  std::string Called() const {
    return path_.empty() ? "the exported model"
                         : absl::StrCat("\"", path_, "\"");
  }

  static absl::Status Damaged(const blob::SectionEntry& entry, uint64_t chunk) {
    return DataLoss("is damaged in the ", blob::kChunkBytes, " bytes from ",
                    entry.offset + chunk * blob::kChunkBytes,
                    ": their checksum is another one");
  }

  absl::StatusOr<BlobBytes> Check(const blob::SectionEntry& entry) const {
    const absl::string_view bytes = bytes_.substr(entry.offset, entry.size);
    const uint64_t damaged = FirstDamaged(bytes, entry.checksums);
    if (damaged < entry.checksums.size()) {
      return Damaged(entry, damaged);
    }
    return BlobBytes{bytes.data(), bytes.size(), owner_};
  }

  absl::StatusOr<BlobBytes> Resolve(const FileRange& range) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                              FindFile(range.file));
    return BlobBytes{static_cast<const char*>(file->data()) + range.offset,
                     range.size, file};
  }

  // Under the path that was written, else beside the container.
  absl::StatusOr<std::shared_ptr<const MappedFile>> FindFile(
      const FileIdentity& meant) {
    auto found = OpenSame(meant, meant.path);
    if (found.ok() || path_.empty()) return found;
    const std::filesystem::path beside =
        std::filesystem::path(path_).parent_path() /
        std::filesystem::path(meant.path).filename();
    auto other = OpenSame(meant, beside.string());
    if (other.ok()) return other;
    // A file that is there but another one says more than none at all.
    return absl::IsNotFound(found.status()) && !absl::IsNotFound(other.status())
               ? other
               : found;
  }

  absl::StatusOr<std::shared_ptr<const MappedFile>> OpenSame(
      const FileIdentity& meant, const std::string& path) {
    std::lock_guard<std::mutex> lock(files_mutex_);
    std::shared_ptr<const MappedFile>& file = files_[path];
    if (file == nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(file, MappedFile::Open(path));
    }
    const std::string difference = Difference(meant, file->identity());
    if (difference.empty()) return file;
    return FailedPrecondition("file \"", path, "\" ", difference);
  }

  absl::string_view bytes_;
  std::shared_ptr<const void> owner_;
  std::string path_;
  std::map<std::string, std::string, std::less<>> headers_;
  std::map<std::string, Section> sections_;
  std::mutex files_mutex_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

BlobReader::BlobReader(std::shared_ptr<State> state, std::string prefix)
    : state_(std::move(state)), prefix_(std::move(prefix)) {}

absl::StatusOr<BlobReader> BlobReader::Open(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  const absl::string_view bytes(static_cast<const char*>(file->data()),
                                file->size());
  auto state = State::Make(bytes, file, path);
  if (state.ok()) return BlobReader(*std::move(state), "");
  return Annotate(state.status(), absl::StrCat("file \"", path, "\""));
}

absl::StatusOr<BlobReader> BlobReader::FromBytes(
    absl::string_view bytes, std::shared_ptr<const void> owner) {
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  if (owner == nullptr || address % blob::kAlignment != 0) {
    DOVETAIL_ASSIGN_OR_RETURN(owner, AlignedCopy(bytes));
    bytes = {static_cast<const char*>(owner.get()), bytes.size()};
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<State> state,
                            State::Make(bytes, std::move(owner), ""));
  return BlobReader(std::move(state), "");
}

bool BlobReader::IsContainer(absl::string_view bytes) {
  return absl::StartsWith(bytes, blob::kMagic);
}

BlobReader BlobReader::Nested(absl::string_view prefix) const {
  return BlobReader(state_, absl::StrCat(prefix_, prefix, "/"));
}

std::optional<absl::string_view> BlobReader::Header(
    absl::string_view key) const {
  const auto it = state_->headers().find(absl::StrCat(prefix_, key));
  if (it == state_->headers().end()) return std::nullopt;
  return it->second;
}

std::map<std::string, std::string> BlobReader::headers() const {
  std::map<std::string, std::string> headers;
  for (const auto& [key, value] : state_->headers()) {
    absl::string_view own = key;
    if (absl::ConsumePrefix(&own, prefix_)) headers.emplace(own, value);
  }
  return headers;
}

bool BlobReader::HasSection(absl::string_view name) const {
  return state_->Find(absl::StrCat(prefix_, name)).ok();
}

std::vector<std::string> BlobReader::section_names() const {
  std::vector<std::string> names;
  for (const auto& [name, section] : state_->sections()) {
    absl::string_view own = name;
    if (absl::ConsumePrefix(&own, prefix_)) names.emplace_back(own);
  }
  return names;
}

absl::StatusOr<uint64_t> BlobReader::SectionSize(absl::string_view name) const {
  DOVETAIL_ASSIGN_OR_RETURN(State::Section * section,
                            state_->Find(absl::StrCat(prefix_, name)));
  return section->entry.size;
}

absl::StatusOr<BlobBytes> BlobReader::Section(absl::string_view name) const {
  return state_->Bytes(absl::StrCat(prefix_, name));
}

absl::StatusOr<BlobBytes> BlobReader::UncheckedSection(
    absl::string_view name) const {
  return state_->UncheckedBytes(absl::StrCat(prefix_, name));
}

absl::Status BlobReader::CheckRange(absl::string_view name, uint64_t offset,
                                    uint64_t size) const {
  return state_->CheckRange(absl::StrCat(prefix_, name), offset, size);
}

absl::Status BlobReader::Verify() const {
  for (const std::string& name : section_names()) {
    DOVETAIL_RETURN_IF_ERROR(Section(name).status());
  }
  return absl::OkStatus();
}

const std::string& BlobReader::path() const { return state_->path(); }
uint64_t BlobReader::size() const { return state_->size(); }

}  // namespace dovetail
