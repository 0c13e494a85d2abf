#include "dovetail/backends/common/memory_overlap.h"

#include <functional>
#include <utility>

namespace dovetail {
namespace {

// From the first byte of a tensor to behind its last one.
std::pair<const char*, const char*> MemoryOf(const Tensor& tensor) {
  const char* const first = static_cast<const char*>(tensor.raw_data());
  if (tensor.element_count() == 0) return {first, first};
  int64_t bytes = tensor.byte_size();
  if (!tensor.is_contiguous()) {
    bytes = BitWidth(tensor.type()) / 8;
    for (int i = 0; i < tensor.rank(); ++i) {
      bytes += (tensor.shape()[i] - 1) * tensor.strides()[i];
    }
  }
  return {first, first + bytes};
}

bool Overlap(const Tensor& a, const Tensor& b) {
  if (!a.has_data() || !b.has_data()) return false;
  const auto [a_begin, a_end] = MemoryOf(a);
  const auto [b_begin, b_end] = MemoryOf(b);
  const std::less<const char*> before;
  return before(a_begin, b_end) && before(b_begin, a_end);
}

}  // namespace

bool OutputsShareMemory(absl::Span<const Tensor> inputs,
                        absl::Span<const Tensor> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const Tensor& input : inputs) {
      if (Overlap(outputs[i], input)) return true;
    }
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(outputs[i], outputs[j])) return true;
    }
  }
  return false;
}

}  // namespace dovetail
