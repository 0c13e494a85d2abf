#include "dovetail/core/executor/streams_executor.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace dovetail {

StreamsExecutor::Stream::Stream(int threads)
    : pool_(threads, "dovetail-stream"), tasks_(&pool_) {}

StreamsExecutor::StreamsExecutor(int streams, int threads_per_stream) {
  for (int i = 0; i < std::max(1, streams); ++i) {
    streams_.push_back(std::make_unique<Stream>(threads_per_stream));
  }
}

StreamsExecutor::Stream& StreamsExecutor::NextStream() {
  const unsigned turn = next_.fetch_add(1, std::memory_order_relaxed);
  return *streams_[turn % streams_.size()];
}

std::shared_ptr<StreamsExecutor> SharedStreams(int streams,
                                               int threads_per_stream) {
  // Never destroyed: a thread may still end its streams when the process exits.
  static auto& mutex = *new std::mutex;
  static auto& all =
      *new std::map<std::pair<int, int>, std::weak_ptr<StreamsExecutor>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<StreamsExecutor>& entry = all[{streams, threads_per_stream}];
  std::shared_ptr<StreamsExecutor> executor = entry.lock();
  if (executor == nullptr) {
    executor = std::make_shared<StreamsExecutor>(streams, threads_per_stream);
    entry = executor;
  }
  return executor;
}

}  // namespace dovetail
