#include "dovetail/backends/batch/batch_parts.h"

#include <system_error>
#include <utility>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"

namespace dovetail::batch {

BatchParts::BatchParts(Parts parts, Compile compile)
    : compile_(std::move(compile)),
      largest_size_(parts.rbegin()->first),
      parts_(std::move(parts)) {}

BatchParts::~BatchParts() {
  for (std::thread& thread : background_) thread.join();
}

size_t BatchParts::SizeFor(size_t count) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = parts_.lower_bound(count);
  if (it->second == nullptr) Want_(it->first);
  while (it->second == nullptr) ++it;
  return it->first;
}

const Executable& BatchParts::at(size_t size) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return *parts_.at(size);
}

Parts BatchParts::All() {
  std::vector<size_t> missing;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [size, part] : parts_) {
      if (part == nullptr) missing.push_back(size);
    }
  }
  for (const size_t size : missing) CompileOne(size);
  std::lock_guard<std::mutex> lock(mutex_);
  Parts all = parts_;
  for (const size_t size : missing) {
    if (all.at(size) == nullptr) all.erase(size);
  }
  return all;
}

void BatchParts::Want_(size_t size) {
  if (!wanted_.insert(size).second) return;
  try {
    background_.emplace_back([this, size] { CompileOne(size); });
  } catch (const std::system_error&) {
    // The system's limit on threads: the larger one stays.
  }
}

void BatchParts::CompileOne(size_t size) {
  auto part = CatchExceptions([] { return "compiling a batch"; },
                              [&] { return compile_(size); });
  if (!part.ok()) {
    DOVETAIL_LOG(kWarning, "BATCH runs ", size,
                 " requests in a larger batch: ", part.status().message());
    return;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Executable>& entry = parts_.at(size);
  // Its users keep the one that was there first.
  if (entry == nullptr) entry = *std::move(part);
}

}  // namespace dovetail::batch
