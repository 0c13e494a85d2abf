// A way to compute a convolution of integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

struct IntegerConvolutionShape {
  int64_t batch = 1;
  int64_t inputs = 0, outputs = 0;  // channels
  // As many as inputs and outputs: each channel by itself.
  int64_t groups = 1;
  WindowAxis rows, columns;
  ElementType input_type = ElementType::kU8;  // or i8
  int32_t zero_point = 0;                     // a number of that type
  // In place of it one for each channel, where each is by itself; empty: there
  // is one for all.
  std::vector<int32_t> zero_points;
};

struct IntegerConvolutionOperands {
  const void* input = nullptr;
  const void* weights = nullptr;   // packed, aligned to 64 bytes
  const void* residual = nullptr;  // laid out as the output; or none
  IntegerEpilogue epilogue;
  const void* packed_epilogue = nullptr;  // see IntegerMethod::PackEpilogue
  void* output = nullptr;  // may be `residual` if the types are of one size
};

// Made once, then run by any threads.
class IntegerMethod {
 public:
  virtual ~IntegerMethod() = default;

  // Names the form of packed weights.
  virtual absl::string_view weights_form() const = 0;
  virtual int64_t weights_bytes() const = 0;
  // From [outputs, inputs / groups, rows, columns], row-major, to
  // `weights_bytes()` at `packed`, which is aligned to 64 bytes.
  virtual void PackWeights(const int8_t* weights, void* packed) const = 0;
  // 0: the method reads the epilogue as it is. Else it reads `packed_epilogue`
  // of its operands, which PackEpilogue made, and of the epilogue no pointers.
  virtual int64_t epilogue_bytes() const { return 0; }
  // `packed` is aligned to 64 bytes.
  virtual void PackEpilogue(const IntegerEpilogue&, void*) const {}

  // Independent units of work, in an order in which neighbours share data.
  virtual int64_t work_item_count() const = 0;
  // What each thread needs, a multiple of 64; aligned to 64 bytes.
  virtual int64_t scratch_bytes() const = 0;
  // Computes `count` work items from number `first` on.
  virtual void Run(const IntegerConvolutionOperands& operands, int64_t first,
                   int64_t count, void* scratch) const = 0;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_
