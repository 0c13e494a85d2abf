// Large pages for memory of many megabytes.
#ifndef DOVETAIL_CORE_TENSOR_MEMORY_LARGE_PAGES_H_
#define DOVETAIL_CORE_TENSOR_MEMORY_LARGE_PAGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dovetail {

// Whether to ask for large pages, by how long the last ones took. Times are in
// nanoseconds of any steady clock. Thread-safe.
class LargePageChoice {
 public:
  // For how long nothing is asked for after a page that took too long.
  static constexpr int64_t kPause = 1'000'000'000;

  // `in_small_pages` is what as much memory takes in small pages.
  explicit LargePageChoice(int64_t in_small_pages)
      : most_(2 * in_small_pages) {}

  bool MayAsk(int64_t now) const { return now >= pause_ends_; }
  // Whether one that took so long, until `now`, is worth it to ask for more.
  bool IsWorth(int64_t took, int64_t now);

 private:
  const int64_t most_;
  std::atomic<int64_t> pause_ends_ = 0;
};

// Has most of a block that was just allocated lie in large pages, where it has
// 8 MB and more, the system has such pages, and they come in time. The first
// one of some is made at once.
void UseLargePages(void* block, size_t bytes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_MEMORY_LARGE_PAGES_H_
