#include "dovetail/core/tensor/storage.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

constexpr uintptr_t kAlignment = 64;

// Over what an address can say on the machines of today. Asking the system
// for it is pointless, and allocators of sanitizers abort when asked.
constexpr int64_t kMaxBytes = int64_t{1} << 40;

void* AlignUp(void* block) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(block);
  const uintptr_t padding = (kAlignment - address % kAlignment) % kAlignment;
  return static_cast<char*>(block) + padding;
}

// Memory of calloc comes from the system as zero pages that cost nothing until
// they are touched; aligned_alloc and memset would touch them all. So the
// alignment is made by hand.
void* AllocateBlock(int64_t bytes, bool zeroed) {
  if (bytes > kMaxBytes) return nullptr;
  const size_t padded = static_cast<size_t>(bytes) + kAlignment;
  return zeroed ? std::calloc(padded, 1) : std::malloc(padded);
}

std::shared_ptr<void> OwnStrings(void* block, int64_t count) {
  auto* strings = static_cast<std::string*>(AlignUp(block));
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
  return std::shared_ptr<void>(AlignUp(block),
                               [block](void*) { std::free(block); });
}

}  // namespace dovetail
