#include "dovetail/backends/common/sections_check.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace dovetail {
namespace {

// The bytes that have a checksum of their own in a container: smaller chunks
// would compare some of them twice.
constexpr uint64_t kChunkBytes = 1 << 20;

}  // namespace

struct SectionsCheck::State {
  struct Chunk {
    size_t section;
    uint64_t offset, size;
  };

  State(BlobReader blob, std::vector<std::string> sections)
      : reader(std::move(blob)),
        names(std::move(sections)),
        damaged(names.size()) {
    for (size_t i = 0; i < names.size(); ++i) AddChunks(i);
    unfinished = chunks.size();
  }

  void AddChunks(size_t section) {
    const auto size = reader.SectionSize(names[section]);
    if (!size.ok()) damaged[section] = true;
    for (uint64_t offset = 0; offset < size.value_or(0);
         offset += kChunkBytes) {
      chunks.push_back(
          {section, offset, std::min(kChunkBytes, *size - offset)});
    }
  }

  void Work() {
    for (size_t i; (i = next.fetch_add(1)) < chunks.size();) {
      const Chunk& chunk = chunks[i];
      if (!reader.CheckRange(names[chunk.section], chunk.offset, chunk.size)
               .ok()) {
        damaged[chunk.section] = true;
      }
      if (unfinished.fetch_sub(1) > 1) continue;
      std::lock_guard<std::mutex> lock(mutex);
      all_finished.notify_all();
    }
  }

  const BlobReader reader;
  const std::vector<std::string> names;
  std::vector<std::atomic<bool>> damaged;  // by section
  std::vector<Chunk> chunks;
  std::atomic<size_t> next = 0, unfinished = 0;
  std::mutex mutex;
  std::condition_variable all_finished;
};

SectionsCheck::SectionsCheck(BlobReader reader, std::vector<std::string> names)
    : state_(std::make_shared<State>(std::move(reader), std::move(names))) {}

SectionsCheck::~SectionsCheck() { state_->next = state_->chunks.size(); }

void SectionsCheck::Start(Executor& executor) {
  // Its thread may come when this object is gone.
  executor.Schedule([state = state_] { state->Work(); });
}

std::vector<std::string> SectionsCheck::Finish() {
  state_->Work();
  {
    std::unique_lock<std::mutex> lock(state_->mutex);
    state_->all_finished.wait(lock, [&] { return state_->unfinished == 0; });
  }
  std::vector<std::string> damaged;
  for (size_t i = 0; i < state_->names.size(); ++i) {
    if (state_->damaged[i]) damaged.push_back(state_->names[i]);
  }
  return damaged;
}

}  // namespace dovetail
