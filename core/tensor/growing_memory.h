// Memory for tensors that grow from one to the next.
#ifndef DOVETAIL_CORE_TENSOR_GROWING_MEMORY_H_
#define DOVETAIL_CORE_TENSOR_GROWING_MEMORY_H_

#include <array>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// For values of which each is computed from the one before and is a bit larger,
// such as a language model's keys and values: they lie in turn in two blocks,
// or, where each begins with the one before, in one. Blocks are larger than
// they are, so that only what is beyond the largest so far costs new pages, and
// used again when nobody has a tensor in them any more. One thread at a time.
class GrowingMemory {
 public:
  // A contiguous tensor with elements of any value; strings have memory of
  // their own. Lives as long as it is needed, also longer than this. Errors as
  // of Tensor::AllocateUninitialized.
  absl::StatusOr<Tensor> Allocate(ElementType type, const Shape& shape);

  // The same for a tensor that is to begin with the elements of `last`, which
  // is contiguous: where that is what was made here last in its block, and the
  // block has room behind it, the tensor begins at its address, and the
  // elements are there. Nothing before the end of `last` may then be written.
  absl::StatusOr<Tensor> Append(const Tensor& last, ElementType type,
                                const Shape& shape);

 private:
  struct Block {
    // Whether nobody else has it. Who let go of it last did so before this
    // runs: values are handed on between inferences, by one request.
    bool IsFree() const { return memory.use_count() <= 1; }

    std::shared_ptr<void> memory;
    int64_t bytes = 0;
    int64_t used = 0;  // by the tensor that was made last
  };

  // A free one of `bytes`, perhaps of more.
  absl::StatusOr<Block*> Find(int64_t bytes);
  static absl::StatusOr<Tensor> TensorIn(Block& block, int64_t bytes,
                                         ElementType type, const Shape& shape);

  std::array<Block, 2> blocks_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_GROWING_MEMORY_H_
