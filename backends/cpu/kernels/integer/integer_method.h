// A way to compute a convolution of integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
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
  // Of volumes, whose planes are before rows; pictures are of one plane.
  WindowAxis planes;

  bool is_volume() const {
    return planes.input > 1 || planes.output > 1 || planes.kernel > 1;
  }
};

struct IntegerConvolutionOperands {
  // Where the block of channels of that number, of those of all images, begins.
  const uint8_t* BlockOfInput(int64_t number, int64_t bytes) const {
    return static_cast<const uint8_t*>(input_blocks != nullptr
                                           ? input_blocks[number]
                                           : static_cast<const char*>(input) +
                                                 number * bytes);
  }
  // Pixels from a block of channels of the output, of which each has so many,
  // to the next.
  int64_t OutputStep(int64_t pixels) const {
    return output_step > 0 ? output_step : pixels;
  }
  // The same, with the output and the residual from an element on.
  IntegerConvolutionOperands FromOutput(int64_t element) const {
    IntegerConvolutionOperands of = *this;
    of.output = static_cast<char*>(output) +
                element * BitWidth(epilogue.output_type) / 8;
    if (residual != nullptr) {
      of.residual = static_cast<const char*>(residual) +
                    element * BitWidth(epilogue.residual_type) / 8;
    }
    return of;
  }

  const void* input = nullptr;
  // In place of it where blocks do not lie one behind the other; of dense
  // convolutions.
  const void* const* input_blocks = nullptr;
  const void* weights = nullptr;   // packed, aligned to 64 bytes
  const void* residual = nullptr;  // laid out as the output; or none
  IntegerEpilogue epilogue;
  const void* packed_epilogue = nullptr;  // see IntegerMethod::PackEpilogue
  void* output = nullptr;  // may be `residual` if the types are of one size
  int64_t output_step = 0;  // see OutputStep; the residual's, too
};

// Made once, then run by any threads.
class IntegerMethod {
 public:
  virtual ~IntegerMethod() = default;

  // Names the form of packed weights.
  virtual absl::string_view weights_form() const = 0;
  virtual int64_t weights_bytes() const = 0;
  // From [outputs, inputs / groups, planes, rows, columns], row-major, to
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

// Makes what computes dense pictures of the shape that is given.
// weights: some sets of them, each [outputs, inputs, rows, columns], with any
//   of which it is to be exact.
using MakeIntegerMethod = std::function<std::unique_ptr<const IntegerMethod>(
    const IntegerConvolutionShape& shape,
    absl::Span<const int8_t* const> weights, int threads)>;

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_METHOD_H_
