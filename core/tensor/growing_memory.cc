#include "dovetail/core/tensor/growing_memory.h"

#include <algorithm>
#include <limits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/storage.h"

namespace dovetail {

namespace {

absl::StatusOr<int64_t> BytesOf(ElementType type, const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  return ByteSize(type, count);
}

}  // namespace

absl::StatusOr<Tensor> GrowingMemory::TensorIn(Block& block, int64_t bytes,
                                               ElementType type,
                                               const Shape& shape) {
  block.used = bytes;
  return Tensor::ShareWritable(type, shape, block.memory.get(), block.bytes,
                               block.memory);
}

absl::StatusOr<Tensor> GrowingMemory::Allocate(ElementType type,
                                               const Shape& shape) {
  if (type == ElementType::kString) {
    return Tensor::AllocateUninitialized(type, shape);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(type, shape));
  DOVETAIL_ASSIGN_OR_RETURN(Block* const block, Find(bytes));
  return TensorIn(*block, bytes, type, shape);
}

absl::StatusOr<Tensor> GrowingMemory::Append(const Tensor& last,
                                             ElementType type,
                                             const Shape& shape) {
  if (type == ElementType::kString || type != last.type()) {
    return Allocate(type, shape);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(type, shape));
  for (size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const bool is_here = block.memory != nullptr &&
                         block.memory.get() == last.address() &&
                         block.used == last.byte_size();
    if (!is_here || bytes < block.used || bytes > block.bytes) continue;
    // What it was copied from when it had no room.
    Block& other = blocks_[1 - i];
    if (other.IsFree()) other = {};
    return TensorIn(block, bytes, type, shape);
  }
  return Allocate(type, shape);
}

absl::StatusOr<GrowingMemory::Block*> GrowingMemory::Find(int64_t bytes) {
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
