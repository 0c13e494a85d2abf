#include "dovetail/backends/cpu/steps/convolution/integer_choice.h"

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/transformations/common/precise.h"

namespace dovetail::cpu {
namespace {

// What IntegerConvolution asks of a shape, as far as the weights say it. Rows
// are pictures to it.
bool IsSupported(const Node& convolution) {
  const PartialShape& weights = convolution.input(1).shape();
  if (!weights.is_static()) return false;
  const bool grouped = convolution.Is("GroupConvolution");
  const int first = grouped ? 1 : 0;
  const int spatial = weights.rank() - first - 2;
  if (spatial < 1 || spatial > 3) return false;
  IntegerConvolutionShape shape;
  shape.groups = grouped ? weights[0].value() : 1;
  shape.outputs = shape.groups * weights[first].value();
  shape.inputs = shape.groups * weights[first + 1].value();
  const auto kernel = [&](int axis) { return weights[axis].value(); };
  if (spatial == 3) {
    shape.planes.kernel = kernel(first + 2);
    shape.planes.input = shape.planes.kernel + 1;  // a volume of any kernel
  }
  if (spatial >= 2) shape.rows.kernel = kernel(first + spatial);
  shape.columns.kernel = kernel(first + 1 + spatial);
  return IntegerConvolution::IsSupported(shape);
}

}  // namespace

bool HasIntegerConvolutions() {
  IntegerConvolutionShape any;
  any.inputs = any.outputs = 8;
  return HasDotProducts() || IntegerConvolution::IsSupported(any);
}

bool TakesIntegers(const Node& linear) {
  if (IsPrecise(linear)) return false;
  // oneDNN's are wrong in groups (onednn/primitive.cc).
  if (linear.Is("GroupConvolutionBackpropData")) return false;
  if (HasDotProducts()) return true;
  return (linear.Is("Convolution") || linear.Is("GroupConvolution")) &&
         IsSupported(linear);
}

// Tiles (AMX) multiply bytes with a sign as well as those without; a zero point
// has to be added to their sums, and keeps unevenly padded windows from tiles.
// Own kernels of few channels, and of channels by themselves, take bytes
// without a sign.
bool PrefersSigned(const Node& linear) {
  constexpr int64_t kFew = 4;  // those of pictures
  if (!Includes(UsableIsa(), Isa::kAvx512Amx)) return false;
  if (linear.Is("MatMul")) return true;
  const bool grouped = linear.Is("GroupConvolution");
  const PartialShape& weights = linear.input(1).shape();
  if (!(grouped || linear.Is("Convolution")) || !weights.is_static()) {
    return false;
  }
  const int inputs = grouped ? 2 : 1;
  bool is_pixel = !grouped;
  for (int i = inputs + 1; i < weights.rank(); ++i) {
    is_pixel &= weights[i].value() == 1;
  }
  return weights[inputs].value() > (is_pixel ? kManyInputsOfTiles : kFew);
}

}  // namespace dovetail::cpu
