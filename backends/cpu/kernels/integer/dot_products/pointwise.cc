#include "dovetail/backends/cpu/kernels/integer/dot_products/pointwise.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_tiles.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

// Pixels whose data stay in the first cache for all groups of channels.
constexpr int64_t kPartBytes = 16 << 10;
constexpr int64_t kItemsOfThread = 4;
// Tiles of any number of vectors fill it.
constexpr int64_t kWholeTiles = 5 * 6 * 8;

bool IsOnePixel(const WindowAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad == 0 &&
         axis.input == axis.output;
}

int64_t SizeOf(ElementType type) { return type == ElementType::kF32 ? 4 : 1; }

}  // namespace

bool PointwiseIntegerMethod::IsSupported(const IntegerConvolutionShape& shape) {
  return HasDotLanes() && shape.groups == 1 && shape.inputs % 4 == 0 &&
         shape.input_type == ElementType::kU8 && IsOnePixel(shape.rows) &&
         IsOnePixel(shape.columns);
}

PointwiseIntegerMethod::PointwiseIntegerMethod(
    const IntegerConvolutionShape& shape, int threads)
    : shape_(shape), weights_{shape.outputs, shape.inputs / 4} {
  const int64_t fit = std::max<int64_t>(1, kPartBytes / shape.inputs);
  const int64_t wanted =
      threads == 1 ? pixels()
                   : DivideUp(pixels() * weights_.groups(),
                              int64_t{threads} * kItemsOfThread);
  part_pixels_ = std::clamp<int64_t>(std::min(fit, wanted), 1, pixels());
  if (part_pixels_ > kWholeTiles) {
    part_pixels_ -= part_pixels_ % kWholeTiles;
  }
  parts_ = DivideUp(pixels(), part_pixels_);
}

void PointwiseIntegerMethod::PackWeights(const int8_t* weights,
                                         void* packed) const {
  char* const to = static_cast<char*>(packed);
  std::memset(to, 0, weights_bytes());
  for (int64_t o = 0; o < shape_.outputs; ++o) {
    for (int64_t i = 0; i < shape_.inputs; ++i) {
      weights_.Put(o, i / 4, i % 4, *weights++, shape_.zero_point, to);
    }
  }
}

void PointwiseIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                 int64_t first, int64_t count, void*) const {
  const auto* const packed = static_cast<const char*>(operands.weights);
  const auto* const epilogues =
      static_cast<const DotEpilogue*>(operands.packed_epilogue);
  const auto* const input = static_cast<const uint8_t*>(operands.input);
  const int64_t size = SizeOf(operands.epilogue.output_type);
  const int64_t residual_size = SizeOf(operands.epilogue.residual_type);
  for (int64_t item = first; item < first + count; ++item) {
    const int64_t group = item % weights_.groups();
    const int64_t pixel = item / weights_.groups() * part_pixels_;
    const int64_t channel = group * kDotGroup;
    const int64_t place = pixel * shape_.outputs + channel;
    DotRow row;
    row.pixels = std::min(part_pixels_, pixels() - pixel);
    row.channels = std::min(kDotGroup, shape_.outputs - channel);
    row.input = input + pixel * shape_.inputs;
    row.input_step = shape_.inputs;
    row.products = shape_.inputs / 4;
    row.first_sums = weights_.FirstSums(packed, group);
    row.weights = weights_.Weights(packed, group);
    if (operands.residual != nullptr) {
      row.residual = static_cast<const char*>(operands.residual) +
                     place * residual_size;
      row.residual_step = shape_.outputs * residual_size;
    }
    row.output = static_cast<char*>(operands.output) + place * size;
    row.output_step = shape_.outputs * size;
    RunDotRow(row, epilogues[group]);
  }
}

}  // namespace dovetail::cpu
