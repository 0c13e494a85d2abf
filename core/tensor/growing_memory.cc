#include "dovetail/core/tensor/growing_memory.h"

#include <algorithm>
#include <limits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/storage.h"

namespace dovetail {

absl::StatusOr<Tensor> GrowingMemory::Allocate(ElementType type,
                                               const Shape& shape) {
  if (type == ElementType::kString) {
    return Tensor::AllocateUninitialized(type, shape);
  }
  const absl::StatusOr<int64_t> count = shape.ElementCount();
  if (!count.ok()) return count.status();
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, *count));
  DOVETAIL_ASSIGN_OR_RETURN(const Block* const block, Find(bytes));
  return Tensor::ShareWritable(type, shape, block->memory.get(), block->bytes,
                               block->memory);
}

absl::StatusOr<const GrowingMemory::Block*> GrowingMemory::Find(int64_t bytes) {
  // Of two that are in use, either may be left to those who use it.
  Block& block = blocks_[0].IsFree() ? blocks_[0] : blocks_[1];
  if (block.IsFree() && block.memory != nullptr && block.bytes >= bytes) {
    return &block;
  }
  // The first value may be the only one.
  const int64_t most = std::max(blocks_[0].bytes, blocks_[1].bytes);
  const bool grows = most > 0;
  const int64_t spare =
      std::min(bytes / 2, std::numeric_limits<int64_t>::max() - bytes);
  const int64_t all = grows ? std::max(most, bytes + spare) : bytes;
  block = {};
  DOVETAIL_ASSIGN_OR_RETURN(block.memory,
                            AllocateStorage(ElementType::kU8, all,
                                            grows ? Contents::kWrittenInParts
                                                  : Contents::kWrittenAtOnce));
  block.bytes = all;
  return &block;
}

}  // namespace dovetail
