// Constants in the form in which primitives want them, one copy for all plans,
// streams and requests of a compiled model.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_WEIGHTS_CACHE_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_WEIGHTS_CACHE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {

// A piece of memory that holds packed weights, or will.
class PackedWeights {
 public:
  explicit PackedWeights(Tensor memory) : memory_(std::move(memory)) {}

  void* data() const { return memory_.mutable_raw_data(); }
  bool is_filled() const { return filled_; }
  void set_filled() { filled_ = true; }

 private:
  Tensor memory_;
  bool filled_ = false;
};

// Thread-safe, but that of two plans that are compiled at the same time both
// may fill an entry: whoever compiles for one cache holds compile_mutex().
class WeightsCache {
 public:
  std::mutex& compile_mutex() { return compile_mutex_; }

  // The entry under `key`, which says what it is made of and how; aligned to
  // 64 bytes. It lives as long as a plan keeps it. An entry that is not filled
  // has to be by who asked. kResourceExhausted when there is no memory.
  absl::StatusOr<std::shared_ptr<PackedWeights>> Get(absl::string_view key,
                                                     int64_t bytes);

 private:
  std::mutex compile_mutex_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<PackedWeights>> entries_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_WEIGHTS_CACHE_H_
