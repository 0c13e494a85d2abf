// Constants in the form in which kernels want them, one copy for all plans,
// streams and requests of a compiled model, for all models that are made of the
// same memory (SharedWeights), and for all processes that import the same
// export.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_CACHE_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_CACHE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/constant_numbers.h"
#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/backends/common/compiler/weights/packed_weights.h"
#include "dovetail/backends/common/compiler/weights/shared_weights.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Thread-safe, but that of two plans that are compiled at the same time both
// may fill an entry: whoever compiles for one cache holds compile_mutex().
class WeightsCache {
 public:
  std::mutex& compile_mutex() { return compile_mutex_; }

  // Names the constants of the model, which outlives the cache, so that what is
  // packed of them can be exported and imported. Called before all else.
  void SetModel(const Model& model) { numbers_ = ConstantNumbers(model); }

  // The entry under `key`; aligned to 64 bytes. It lives as long as a plan
  // keeps it. An entry that is not filled has to be, by who asked or by another
  // plan that is compiled now (Packing). One that was imported is filled
  // already; one of another size is not taken. kResourceExhausted when there is
  // no memory.
  absl::StatusOr<std::shared_ptr<PackedWeights>> Get(const PackingKey& key,
                                                     int64_t bytes);

  // Whether there is such an entry: somebody has packed it, or is going to.
  bool Has(const PackingKey& key, int64_t bytes);

  // Writes all entries that are filled and made of the model's own constants:
  // each a section, out of its own memory. Waits for plans that are compiled.
  // `platform` is packing_platform.h's.
  absl::Status Export(absl::string_view platform, BlobWriter& writer);
  // Entries that Export has written, to be found by Get; their bytes stay where
  // they are, and it is for the caller to compare those sections, which are
  // returned, with their checksums. No entries at all, or entries for another
  // platform, are no error: then there is none to be found. kDataLoss when the
  // list of them is damaged.
  absl::StatusOr<std::vector<std::string>> Import(absl::string_view platform,
                                                  const BlobReader& reader);
  // Get does not find what came from those sections any more.
  void Forget(absl::Span<const std::string> sections);

  // Of entries made of the model's own constants: how many were imported, and
  // the others.
  int imported_count() const { return imported_count_; }
  int packed_count() const { return packed_count_; }

 private:
  // The key as it is stored. Nothing where a constant has no number: such a key
  // holds in this process only.
  std::optional<std::string> StableText(const PackingKey& key,
                                        int64_t bytes) const;
  std::shared_ptr<PackedWeights> FindImported(const std::string& text,
                                              int64_t bytes);
  // Imported, or made in this process.
  absl::StatusOr<std::shared_ptr<PackedWeights>> Find(
      const std::optional<std::string>& stable, const PackingKey& key,
      int64_t bytes);

  ConstantNumbers numbers_;
  SharedWeights own_;  // of memory that may be written
  std::mutex compile_mutex_;
  std::mutex mutex_;
  struct Entry {
    std::weak_ptr<PackedWeights> packed;
    int number = -1;  // in the order in which keys were asked for
  };
  std::map<std::string, Entry> stable_;  // by text
  // The export that the model comes from, and its sections by stable key.
  std::optional<BlobReader> source_;
  std::map<std::string, std::string> imported_;
  std::atomic<int> imported_count_ = 0, packed_count_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_CACHE_H_
