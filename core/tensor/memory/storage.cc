#include "dovetail/core/tensor/memory/storage.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/tensor/memory/allocator.h"
#include "dovetail/core/tensor/memory/large_pages.h"

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

// Memory of calloc comes from the system as zero pages that cost nothing until
// they are touched; aligned_alloc and memset would touch them all. So the
// alignment is made by hand.
void* AllocateBlock(int64_t bytes, Contents contents) {
  if (bytes > kMaxBytes) return nullptr;
  const size_t padded = static_cast<size_t>(bytes) + AlignmentFor(bytes);
  if (contents == Contents::kZeros) return std::calloc(padded, 1);
  void* const block = std::malloc(padded);
  if (block == nullptr) return nullptr;
  UseLargePages(block, padded);
  if (contents == Contents::kWrittenAtOnce) ClaimPages(block, padded);
  return block;
}

// Memory for elements, and how it goes back to where it comes from.
struct Block {
  void* elements = nullptr;
  void* memory = nullptr;
  std::shared_ptr<Allocator> allocator;  // null: the process's
  size_t bytes = 0, alignment = 0;       // that the allocator was asked for

  void Free() const {
    if (allocator == nullptr) return std::free(memory);
    allocator->Free(memory, bytes, alignment);
  }
};

Block OfProcess(int64_t bytes, Contents contents) {
  Block block;
  block.memory = AllocateBlock(bytes, contents);
  if (block.memory != nullptr) {
    block.elements = AlignUp(block.memory, AlignmentFor(bytes));
  }
  return block;
}

// Null also where the application's code throws.
void* AskFor(Allocator& allocator, size_t bytes, size_t alignment) {
  try {
    return allocator.Allocate(bytes, alignment);
  } catch (...) {
    return nullptr;
  }
}

absl::StatusOr<Block> OfApplication(std::shared_ptr<Allocator> allocator,
                                    int64_t bytes, Contents contents) {
  Block block;
  block.allocator = std::move(allocator);
  block.bytes = std::max<size_t>(static_cast<size_t>(bytes), 1);
  block.alignment = AlignmentFor(bytes);
  if (bytes > kMaxBytes) return block;
  block.memory = AskFor(*block.allocator, block.bytes, block.alignment);
  if (reinterpret_cast<uintptr_t>(block.memory) % block.alignment != 0) {
    block.Free();
    return absl::FailedPreconditionError(absl::StrCat(
        "the application's allocator was asked for ", block.bytes,
        " bytes at a multiple of ", block.alignment, " and gave others"));
  }
  block.elements = block.memory;
  if (contents == Contents::kZeros && block.memory != nullptr) {
    std::memset(block.memory, 0, block.bytes);
  }
  return block;
}

std::shared_ptr<void> OwnStrings(const Block& block, int64_t count) {
  auto* strings = static_cast<std::string*>(block.elements);
  std::uninitialized_value_construct_n(strings, count);
  return std::shared_ptr<void>(strings, [block, count](void* data) {
    std::destroy_n(static_cast<std::string*>(data), count);
    block.Free();
  });
}

}  // namespace

absl::StatusOr<std::shared_ptr<void>> AllocateStorage(ElementType type,
                                                      int64_t count,
                                                      Contents contents) {
  const absl::StatusOr<int64_t> bytes = ByteSize(type, count);
  if (!bytes.ok()) return bytes.status();
  std::shared_ptr<Allocator> allocator = CurrentAllocator();
  const absl::StatusOr<Block> block =
      allocator == nullptr
          ? OfProcess(*bytes, contents)
          : OfApplication(std::move(allocator), *bytes, contents);
  if (!block.ok()) return block.status();
  if (block->elements == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", *bytes, " bytes: ", count,
                     " elements of ", ElementTypeName(type),
                     block->allocator == nullptr
                         ? ""
                         : "; the application's allocator gave none"));
  }
  if (type == ElementType::kString) return OwnStrings(*block, count);
  return std::shared_ptr<void>(block->elements,
                               [block = *block](void*) { block.Free(); });
}

// One call takes half the time of making pages one by one as they are touched.
// Where the system knows no such call, they are made so.
void ClaimPages(void* memory, size_t bytes) {
  constexpr size_t kWorthACall = size_t{1} << 20;
  if (bytes < kWorthACall) return;
#ifdef MADV_POPULATE_WRITE
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = (address + page - 1) / page * page;
  const uintptr_t end = (address + bytes) / page * page;
  (void)madvise(reinterpret_cast<void*>(begin), end - begin,
                MADV_POPULATE_WRITE);
#endif
}

const void* UnalignedStorage::AlignedCopy() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (copy_ != nullptr) return copy_.get();
  const auto copy = AllocateStorage(
      ElementType::kU8, static_cast<int64_t>(size_), Contents::kWrittenAtOnce);
  if (!copy.ok()) throw std::bad_alloc();
  std::memcpy(copy->get(), bytes_, size_);
  copy_ = *copy;
  return copy_.get();
}

}  // namespace dovetail
