#include "dovetail/backends/common/program/state_pool.h"

namespace dovetail {

std::unique_ptr<ProgramState> ProgramStatePool::Take(const void* stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  States& states = states_[stream];
  if (states.idle.empty()) {
    states.idle.reserve(++states.count);  // GiveBack allocates nothing
    return std::make_unique<ProgramState>();
  }
  std::unique_ptr<ProgramState> state = std::move(states.idle.back());
  states.idle.pop_back();
  return state;
}

void ProgramStatePool::GiveBack(const void* stream,
                                std::unique_ptr<ProgramState> state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_.at(stream).idle.push_back(std::move(state));
}

}  // namespace dovetail
