// Memory that holds packed weights, or will.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Several plans that are compiled at the same time may want the same weights:
// one claims them and packs, the others wait. Thread-safe.
class PackedWeights {
 public:
  // Memory that is to be filled with what is made of `constants`, whose memory
  // stays meanwhile, so that nobody else's gets their addresses.
  PackedWeights(Tensor memory, std::vector<Tensor> constants)
      : memory_(std::move(memory)), constants_(std::move(constants)) {}
  // Bytes that are filled; read-only.
  explicit PackedWeights(BlobBytes imported)
      : imported_(std::move(imported)), state_(State::kFilled) {}

  // To be written only by who has claimed it.
  void* data() const {
    return imported_.data != nullptr ? const_cast<void*>(imported_.data)
                                     : memory_.mutable_raw_data();
  }
  int64_t bytes() const {
    return imported_.data != nullptr ? static_cast<int64_t>(imported_.size)
                                     : memory_.byte_size();
  }
  bool is_filled() const { return state_ == State::kFilled; }

  // True for one caller at a time, who has to fill it and then call SetFilled,
  // or GiveUp when it cannot; false when it is filled or somebody fills it.
  bool Claim();
  void SetFilled() { SetState(State::kFilled); }
  void GiveUp() { SetState(State::kEmpty); }
  // Waits for who has claimed it; whether it is filled then.
  bool AwaitFilled();

 private:
  enum class State { kEmpty, kClaimed, kFilled };
  void SetState(State state);

  const Tensor memory_;
  const std::vector<Tensor> constants_;
  const BlobBytes imported_;
  std::atomic<State> state_ = State::kEmpty;  // changes with mutex_ held
  std::mutex mutex_;
  std::condition_variable is_done_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_
