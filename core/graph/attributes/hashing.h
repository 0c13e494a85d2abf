// A hash that is the same in every process: for comparing models with what a
// cache or another run noted of them. Not for data from an adversary.
#ifndef DOVETAIL_CORE_GRAPH_ATTRIBUTES_HASHING_H_
#define DOVETAIL_CORE_GRAPH_ATTRIBUTES_HASHING_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// What has been added so far, in order; each thing added changes the state.
class StableHash {
 public:
  void Add(uint64_t value);
  void AddText(absl::string_view text);
  void AddDouble(double value);  // by its bits
  void AddBytes(const void* data, size_t size);
  void AddShape(const PartialShape& shape);
  // Type, shape and elements.
  void AddTensor(const Tensor& tensor);

  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0x243f6a8885a308d3u;  // the first digits of pi
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_ATTRIBUTES_HASHING_H_
