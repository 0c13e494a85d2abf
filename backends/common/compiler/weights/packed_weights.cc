#include "dovetail/backends/common/compiler/weights/packed_weights.h"

namespace dovetail {

bool PackedWeights::Claim() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::kEmpty) return false;
  state_ = State::kClaimed;
  return true;
}

bool PackedWeights::AwaitFilled() {
  std::unique_lock<std::mutex> lock(mutex_);
  is_done_.wait(lock, [this] { return state_ != State::kClaimed; });
  return is_filled();
}

void PackedWeights::SetState(State state) {
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = state;
  is_done_.notify_all();
}

}  // namespace dovetail
