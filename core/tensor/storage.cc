#include "dovetail/core/tensor/storage.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

constexpr uintptr_t kAlignment = 64;
// What is this large begins at a page, so that devices that share memory with
// the host can use it in place.
constexpr int64_t kPageAlignedFrom = 64 << 10;
constexpr uintptr_t kPage = 4096;

uintptr_t AlignmentFor(int64_t bytes) {
  return bytes >= kPageAlignedFrom ? kPage : kAlignment;
}

// Over what an address can say on the machines of today. Asking the system
// for it is pointless, and allocators of sanitizers abort when asked.
constexpr int64_t kMaxBytes = int64_t{1} << 40;

void* AlignUp(void* block, uintptr_t alignment) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(block);
  const uintptr_t padding = (alignment - address % alignment) % alignment;
  return static_cast<char*>(block) + padding;
}

// What is not zeroed is going to be written, all of it: the system backs large
// blocks with pages at once, which takes half the time of doing so page by page
// as they are touched. Where it cannot, they come then.
void ClaimPages(void* block, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr size_t kWorthACall = size_t{1} << 20;
  if (block == nullptr || bytes < kWorthACall) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(block);
  const uintptr_t begin = (address + page - 1) / page * page;
  const uintptr_t end = (address + bytes) / page * page;
  (void)madvise(reinterpret_cast<void*>(begin), end - begin,
                MADV_POPULATE_WRITE);
#else
  (void)block;
  (void)bytes;
#endif
}

// Memory of calloc comes from the system as zero pages that cost nothing until
// they are touched; aligned_alloc and memset would touch them all. So the
// alignment is made by hand.
void* AllocateBlock(int64_t bytes, bool zeroed) {
  if (bytes > kMaxBytes) return nullptr;
  const size_t padded = static_cast<size_t>(bytes) + AlignmentFor(bytes);
  if (zeroed) return std::calloc(padded, 1);
  void* const block = std::malloc(padded);
  ClaimPages(block, padded);
  return block;
}

std::shared_ptr<void> OwnStrings(void* block, int64_t count) {
  auto* strings = static_cast<std::string*>(AlignUp(block, kAlignment));
  std::uninitialized_value_construct_n(strings, count);
  return std::shared_ptr<void>(strings, [block, count](void* data) {
    std::destroy_n(static_cast<std::string*>(data), count);
    std::free(block);
  });
}

}  // namespace

absl::StatusOr<std::shared_ptr<void>> AllocateStorage(ElementType type,
                                                      int64_t count,
                                                      bool zeroed) {
  const absl::StatusOr<int64_t> bytes = ByteSize(type, count);
  if (!bytes.ok()) return bytes.status();
  void* block = AllocateBlock(*bytes, zeroed);
  if (block == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", *bytes, " bytes: ", count,
                     " elements of ", ElementTypeName(type)));
  }
  if (type == ElementType::kString) return OwnStrings(block, count);
  return std::shared_ptr<void>(AlignUp(block, AlignmentFor(*bytes)),
                               [block](void*) { std::free(block); });
}

const void* UnalignedStorage::AlignedCopy() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (copy_ != nullptr) return copy_.get();
  const auto copy = AllocateStorage(ElementType::kU8,
                                    static_cast<int64_t>(size_), false);
  if (!copy.ok()) throw std::bad_alloc();
  std::memcpy(copy->get(), bytes_, size_);
  copy_ = *copy;
  return copy_.get();
}

}  // namespace dovetail
