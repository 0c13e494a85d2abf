// Compiled models in a folder, so that compiling one again is mapping a file.
#ifndef DOVETAIL_CORE_CACHE_CACHE_FOLDER_H_
#define DOVETAIL_CORE_CACHE_CACHE_FOLDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"

namespace dovetail {

// What an entry is of. Two keys with one text share one entry: the last stored
// replaces the other.
struct CacheKey {
  // Which model, compiled how and for which device: all that should have
  // entries beside each other. Compared as a whole; only the file's name is a
  // hash of it.
  std::string text;
  // What must be as it was when the entry was stored for it to be good, by a
  // name for messages: the build, FileIdentity::ToString() of the model's
  // files, what a device says of itself.
  std::map<std::string, std::string> conditions;
};

// A folder that any number of processes use at once, without waiting for each
// other. Nothing that is in the folder, or happens to it, makes a wrong answer:
// what is found is what was stored under that key, or a reason is.
//
// Entries are found under their key, "<32 hex digits>.blob"; other files in the
// folder are left alone. Objects for the same folder need not know each other.
// All functions may be called from any thread.
class CacheFolder {
 public:
  // The folder is made when there is something to store. `size_limit` is in
  // bytes of all entries together, 0 for no limit. Removes what killed writers
  // have left.
  explicit CacheFolder(std::string path, uint64_t size_limit = 0);

  // The entry of the key, which from now on is the one used last. The reader
  // outlasts the entry's removal. Else why there is none, with the file's name:
  //   kNotFound            there is no entry;
  //   kFailedPrecondition  it is stale: which condition was what and is what
  //                        now; or of another version of the container;
  //   kDataLoss            it is damaged, and removed;
  //   any other            the system's reason, such as kPermissionDenied.
  // Sections are checked when they are read: whoever meets kDataLoss then, or
  // cannot use the entry for another reason, calls Remove.
  absl::StatusOr<BlobReader> Find(const CacheKey& key) const;

  // Stores what `write` writes, which gets the writer of a container, does not
  // finish it and leaves the prefix "cache" alone. Then removes the entries
  // used longest ago until all that stay are within the limit.
  //
  // An error says why nothing was stored, and leaves nothing behind:
  // kResourceExhausted where the disk is full or the entry alone is over the
  // limit, kUnavailable where the folder cannot be written, or the error of
  // `write`. An entry that there was before stays.
  using WriteFn = std::function<absl::Status(BlobWriter&)>;
  absl::Status Store(const CacheKey& key, const WriteFn& write) const;

  // Removes the entry of the key, if there is one.
  void Remove(const CacheKey& key) const;

  // The file of the key's entry, whether it is there or not.
  std::string PathOf(const CacheKey& key) const;
  const std::string& path() const { return path_; }

 private:
  absl::Status CheckKey(const CacheKey& key, const BlobReader& reader) const;
  void Evict(absl::string_view kept) const;

  std::string path_;
  uint64_t size_limit_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_CACHE_CACHE_FOLDER_H_
