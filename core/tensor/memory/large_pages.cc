#include "dovetail/core/tensor/memory/large_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace dovetail {

bool LargePageChoice::IsWorth(int64_t took, int64_t now) {
  if (took <= most_) return true;
  pause_ends_ = now + kPause;
  return false;
}

// Large pages are made in a fraction of the time of small ones, and reading
// what lies in them misses the TLB less often. But a host that takes back what
// its guests have free takes whole large pages, and gives them again bit by
// bit: then one takes 4 ms where small pages of what the guest still has take
// 0.7 (guest of 24 GB on Zen 4, 2 MB each; at once after others were freed 0.2
// to 0.5). So the first one of each part is timed.
#if defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
namespace {

constexpr size_t kPage = size_t{2} << 20;
constexpr size_t kFewest = 4 * kPage;
constexpr size_t kPart = 8 * kPage;

int64_t Now() {
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t TimeToMake(char* memory) {
  const int64_t begin = Now();
  (void)madvise(memory, kPage, MADV_POPULATE_WRITE);
  return Now() - begin;
}

// What a large page's memory takes in small pages; so much that all large ones
// are worth it where that cannot be found out.
int64_t TimeInSmallPages() {
  void* const memory = mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return std::numeric_limits<int64_t>::max() / 4;
  (void)madvise(memory, kPage, MADV_NOHUGEPAGE);
  const int64_t time = TimeToMake(static_cast<char*>(memory));
  (void)munmap(memory, kPage);
  return time;
}

}  // namespace

void UseLargePages(void* block, size_t bytes) {
  if (bytes < kFewest) return;
  static LargePageChoice choice(TimeInSmallPages());
  const size_t before =
      (kPage - reinterpret_cast<uintptr_t>(block) % kPage) % kPage;
  char* begin = static_cast<char*>(block) + before;
  char* const end = begin + (bytes - before) / kPage * kPage;
  while (begin < end && choice.MayAsk(Now())) {
    const size_t part = std::min(kPart, static_cast<size_t>(end - begin));
    (void)madvise(begin, part, MADV_HUGEPAGE);
    const int64_t took = TimeToMake(begin);
    begin += kPage;
    if (!choice.IsWorth(took, Now())) break;
    begin += part - kPage;
  }
  // Systems that give large pages unasked shall not either.
  if (begin < end) (void)madvise(begin, end - begin, MADV_NOHUGEPAGE);
}
#else
void UseLargePages(void*, size_t) {}
#endif

}  // namespace dovetail
