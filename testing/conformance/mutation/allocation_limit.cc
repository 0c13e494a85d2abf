#include "dovetail/testing/conformance/mutation/allocation_limit.h"

#include <atomic>
#include <cstdlib>
#include <limits>

namespace dovetail {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

std::atomic<size_t> limit{kNone};
std::atomic<size_t> largest_refused{0};

bool IsTooLarge(size_t bytes) {
  if (bytes <= limit.load(std::memory_order_relaxed)) return false;
  if (bytes > largest_refused) largest_refused = bytes;
  return true;
}

}  // namespace

AllocationLimit::AllocationLimit(size_t bytes) {
  largest_refused = 0;
  limit = bytes;
}
AllocationLimit::~AllocationLimit() { limit = kNone; }
size_t AllocationLimit::refused() { return largest_refused; }

}  // namespace dovetail

extern "C" {

// The linker's --wrap gives the names.
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);

void* __wrap_malloc(size_t bytes) {
  return dovetail::IsTooLarge(bytes) ? nullptr : __real_malloc(bytes);
}
void* __wrap_calloc(size_t count, size_t bytes) {
  size_t total;
  const bool overflows = __builtin_mul_overflow(count, bytes, &total);
  return dovetail::IsTooLarge(overflows ? dovetail::kNone : total)
             ? nullptr
             : __real_calloc(count, bytes);
}

}  // extern "C"
