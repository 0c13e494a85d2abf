// Memory that holds packed weights, or will.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
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
  // Memory of so many bytes that is to be filled with what is made of
  // `constants`, whose memory stays meanwhile, so that nobody else's gets their
  // addresses.
  PackedWeights(std::shared_ptr<void> memory, int64_t bytes,
                std::vector<Tensor> constants)
      : memory_(std::move(memory)),
        bytes_(bytes),
        constants_(std::move(constants)) {}
  // Bytes that are filled; read-only.
  explicit PackedWeights(BlobBytes imported)
      : bytes_(static_cast<int64_t>(imported.size)),
        imported_(std::move(imported)),
        state_(State::kFilled) {}

  // To be written only by who has claimed it.
  void* data() const {
    return imported_.data != nullptr ? const_cast<void*>(imported_.data)
                                     : memory_.get();
  }
  int64_t bytes() const { return bytes_; }
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

  const std::shared_ptr<void> memory_;
  const int64_t bytes_;
  const std::vector<Tensor> constants_;
  const BlobBytes imported_;
  std::atomic<State> state_ = State::kEmpty;  // changes with mutex_ held
  std::mutex mutex_;
  std::condition_variable is_done_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKED_WEIGHTS_H_
