#include "dovetail/core/cache/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/files/atomic_file.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail {
namespace {

// Where the container's header says what it is of.
constexpr absl::string_view kPrefix = "cache";
constexpr absl::string_view kKey = "key";
constexpr absl::string_view kConditions = "conditions";

std::string NameOf(const CacheKey& key) {
  return absl::StrCat(HexHash128(key.text), ".blob");
}

bool IsEntryName(absl::string_view name) {
  return absl::ConsumeSuffix(&name, ".blob") && name.size() == 32 &&
         std::all_of(name.begin(), name.end(), [](char digit) {
           return std::isxdigit(static_cast<unsigned char>(digit)) != 0;
         });
}

// The time of change of an entry's file is when it was used last. One that may
// not be touched is used all the same.
void Touch(const std::string& path) {
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

absl::Status MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return Unavailable("the folder \"", path,
                     "\" cannot be made: ", error.message());
}

// Takes no more than the cache may hold, so that a disk is not filled with what
// would not be kept.
class LimitedSink : public ByteSink {
 public:
  LimitedSink(ByteSink& sink, uint64_t limit) : sink_(sink), limit_(limit) {}

  absl::Status Append(absl::string_view bytes) override {
    size_ += bytes.size();
    if (limit_ > 0 && size_ > limit_) {
      return ResourceExhausted(
          "the entry alone is larger than the ", limit_,
          " bytes that the cache may hold (CACHE_SIZE_LIMIT)");
    }
    return sink_.Append(bytes);
  }

 private:
  ByteSink& sink_;
  uint64_t limit_;
  uint64_t size_ = 0;
};

absl::Status WriteKey(const CacheKey& key, BlobWriter writer) {
  DOVETAIL_RETURN_IF_ERROR(writer.SetHeader(kKey, key.text));
  BlobWriter conditions = writer.Nested(kConditions);
  for (const auto& [name, value] : key.conditions) {
    DOVETAIL_RETURN_IF_ERROR(conditions.SetHeader(name, value));
  }
  return absl::OkStatus();
}

struct Entry {
  int64_t used_ns;
  std::string name;
  uint64_t size;
};

// Those that can be looked at: others may be removing them meanwhile.
std::vector<Entry> EntriesIn(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error), end;
  while (!error && files != end) {
    const std::string name = files->path().filename().string();
    if (IsEntryName(name)) {
      const auto identity = IdentifyFile(files->path().string());
      if (identity.ok()) {
        entries.push_back({identity->modified_ns, name, identity->size});
      }
    }
    files.increment(error);
  }
  return entries;
}

}  // namespace

CacheFolder::CacheFolder(std::string path, uint64_t size_limit)
    : path_(std::move(path)), size_limit_(size_limit) {
  RemoveAbandonedFiles(path_, IsEntryName);
}

std::string CacheFolder::PathOf(const CacheKey& key) const {
  return absl::StrCat(path_, "/", NameOf(key));
}

absl::Status CacheFolder::CheckKey(const CacheKey& key,
                                   const BlobReader& reader) const {
  const BlobReader header = reader.Nested(kPrefix);
  if (header.Header(kKey) != key.text) {
    return FailedPrecondition("cache entry \"", reader.path(),
                              "\" is of another model");
  }
  const auto conditions = header.Nested(kConditions).headers();
  if (conditions == key.conditions) return absl::OkStatus();
  for (const auto& [name, value] : key.conditions) {
    const auto it = conditions.find(name);
    if (it != conditions.end() && it->second == value) continue;
    return FailedPrecondition("cache entry \"", reader.path(),
                              "\" is stale: ", name, " was '",
                              it == conditions.end() ? "not known" : it->second,
                              "', is '", value, "'");
  }
  std::vector<std::string> more;
  for (const auto& [name, value] : conditions) {
    if (key.conditions.count(name) == 0) more.push_back(name);
  }
  return FailedPrecondition("cache entry \"", reader.path(),
                            "\" is stale: it rests on more than is asked for: ",
                            absl::StrJoin(more, ", "));
}

absl::StatusOr<BlobReader> CacheFolder::Find(const CacheKey& key) const {
  const std::string path = PathOf(key);
  absl::StatusOr<BlobReader> reader = BlobReader::Open(path);
  if (absl::IsNotFound(reader.status())) {
    return NotFound("there is no cache entry \"", path, "\"");
  }
  if (!reader.ok()) {
    const absl::Status why =
        Annotate(reader.status(), "cache entry cannot be used");
    // A file that is no container at all is a damaged entry here.
    if (!absl::IsDataLoss(why) && !absl::IsInvalidArgument(why)) return why;
    Remove(key);
    return DataLoss(why.message());
  }
  DOVETAIL_RETURN_IF_ERROR(CheckKey(key, *reader));
  Touch(path);
  return reader;
}

absl::Status CacheFolder::Store(const CacheKey& key,
                                const WriteFn& write) const {
  DOVETAIL_RETURN_IF_ERROR(MakeFolder(path_));
  RemoveAbandonedFiles(path_, IsEntryName);
  const std::string path = PathOf(key);
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> file,
                            AtomicFile::Create(path));
  LimitedSink sink(*file, size_limit_);
  BlobWriter writer(&sink);
  DOVETAIL_RETURN_IF_ERROR(WriteKey(key, writer.Nested(kPrefix)));
  DOVETAIL_RETURN_IF_ERROR(write(writer));
  DOVETAIL_RETURN_IF_ERROR(writer.Finish());
  // What a crash of the machine damages is noticed by its checksums, so there
  // is no need to wait for the disk.
  DOVETAIL_RETURN_IF_ERROR(file->Commit(AtomicFile::Durability::kInMemory));
  Evict(NameOf(key));
  return absl::OkStatus();
}

// Each process does so after it has stored, and sees what all have stored
// before: the last one leaves the folder within the limit.
void CacheFolder::Evict(absl::string_view kept) const {
  if (size_limit_ == 0) return;
  std::vector<Entry> entries = EntriesIn(path_);
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.used_ns, a.name) < std::tie(b.used_ns, b.name);
  });
  for (const Entry& entry : entries) {
    if (total <= size_limit_) return;
    if (entry.name == kept) continue;
    unlink(absl::StrCat(path_, "/", entry.name).c_str());
    total -= entry.size;
  }
}

void CacheFolder::Remove(const CacheKey& key) const {
  unlink(PathOf(key).c_str());
}

}  // namespace dovetail
