#include "dovetail/core/graph/attributes/hashing.h"

#include <cstring>
#include <string>

namespace dovetail {
namespace {

// Spreads every bit of `x` over all bits: rounds of xor-shift and odd factors.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

// Elements of 1 … 64 bits: eight of them always fill whole bytes, what is left
// over is taken one by one, so that unused bits of the last byte don't count.
void AddPacked(const Tensor& tensor, StableHash& hash) {
  const int64_t count = tensor.element_count();
  const int64_t groups = count / 8;
  hash.AddBytes(tensor.address(),
                static_cast<size_t>(groups) * BitWidth(tensor.type()));
  for (int64_t i = groups * 8; i < count; ++i) {
    hash.AddDouble(tensor.ElementAsDouble(i));
  }
}

}  // namespace

void StableHash::Add(uint64_t value) {
  state_ = Mix(state_ * 0x9e3779b97f4a7c15u + value + 1);
}

void StableHash::AddText(absl::string_view text) {
  AddBytes(text.data(), text.size());
}

void StableHash::AddDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  Add(bits);
}

void StableHash::AddBytes(const void* data, size_t size) {
  const char* bytes = static_cast<const char*>(data);
  Add(size);
  for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
    const size_t part = size - i < sizeof(uint64_t) ? size - i
                                                    : sizeof(uint64_t);
    uint64_t word = 0;
    std::memcpy(&word, bytes + i, part);
    Add(word);
  }
}

void StableHash::AddShape(const PartialShape& shape) {
  Add(shape.rank_known() ? shape.rank() : ~uint64_t{0});
  for (const Dimension& dim : shape) {
    Add(static_cast<uint64_t>(dim.min()));
    Add(static_cast<uint64_t>(dim.max()));
  }
}

void StableHash::AddTensor(const Tensor& tensor) {
  Add(static_cast<uint64_t>(tensor.type()));
  AddShape(tensor.shape());
  if (!tensor.has_data()) return;
  if (!tensor.is_contiguous()) {
    if (auto packed = tensor.Clone(); packed.ok()) return AddTensor(*packed);
    return;
  }
  if (tensor.type() == ElementType::kString) {
    for (const std::string& text : tensor.span<std::string>()) AddText(text);
  } else if (IsSubByte(tensor.type())) {
    AddPacked(tensor, *this);
  } else {
    AddBytes(tensor.address(), static_cast<size_t>(tensor.byte_size()));
  }
}

}  // namespace dovetail
