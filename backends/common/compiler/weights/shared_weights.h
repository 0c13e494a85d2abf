// Packed weights that several compiled models use.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_SHARED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_SHARED_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/backends/common/compiler/weights/packed_weights.h"

namespace dovetail {

// Entries by the memory of the constants that they are made of, and by their
// form; each as long as somebody keeps it. Thread-safe.
class SharedWeights {
 public:
  // Those of all models that this copy of the devices has compiled: parts of
  // devices that are made of others, the batches of one model, a model that is
  // compiled twice. A device in a shared library has its own, as it may be of
  // another build. For constants in read-only memory: what an application may
  // write might have changed since it was packed.
  static SharedWeights& OfDevices();

  // The entry of that key, in memory of this thread's allocator; empty where
  // nobody has asked for it before. Aligned to 64 bytes. kResourceExhausted
  // when there is no memory.
  absl::StatusOr<std::shared_ptr<PackedWeights>> Get(const PackingKey& key,
                                                     int64_t bytes);
  // Whether somebody keeps that entry.
  bool Has(const PackingKey& key, int64_t bytes);

 private:
  void DropOld_();  // with mutex_ held

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<PackedWeights>> entries_;
  size_t drop_at_ = 64;  // entries
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_SHARED_WEIGHTS_H_
