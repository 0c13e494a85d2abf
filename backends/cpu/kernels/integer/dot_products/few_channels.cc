#include "dovetail/backends/cpu/kernels/integer/dot_products/few_channels.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_tiles.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kMostChannels = 4;
constexpr int64_t kItemsOfThread = 4;
// What a copy may take: half of an L2 cache.
constexpr int64_t kCopyBytes = 256 << 10;
// Vectors are read and written whole behind the end of a row.
constexpr int64_t kRoom = 64;

int64_t RoundUp(int64_t a) { return DivideUp(a, kRoom) * kRoom; }

// Pixels of a row of the copy: at least the padding and the input.
int64_t CopiedColumns(const WindowAxis& axis) {
  return std::max(axis.Reach(axis.output), axis.pad + axis.input);
}

}  // namespace

bool FewChannelsIntegerMethod::IsSupported(
    const IntegerConvolutionShape& shape) {
  // Of one channel, neighbours are multiplied together.
  return HasDotLanes() && shape.groups == 1 &&
         shape.inputs <= kMostChannels && shape.rows.pad >= 0 &&
         shape.columns.pad >= 0 &&
         (shape.inputs > 1 || shape.columns.dilation == 1);
}

FewChannelsIntegerMethod::FewChannelsIntegerMethod(
    const IntegerConvolutionShape& shape, int threads,
    const std::optional<ByteQuantization>& quantization)
    : shape_(shape),
      quantization_(quantization),
      pixel_(shape.inputs == 1 ? 1 : 4),
      row_step_(RoundUp(CopiedColumns(shape.columns) * pixel_ + kRoom)),
      row_products_(pixel_ == 1 ? DivideUp(shape.columns.kernel, 4)
                                : shape.columns.kernel),
      weights_{shape.outputs, shape.rows.kernel * row_products_} {
  const int64_t fit =
      (kCopyBytes / row_step_ - shape.rows.Reach(1)) / shape.rows.stride;
  const int64_t wanted =
      DivideUp(shape.rows.output, threads == 1 ? 1 : threads * kItemsOfThread);
  band_rows_ =
      std::clamp<int64_t>(std::min(wanted, fit), 1, shape.rows.output);
  bands_ = DivideUp(shape.rows.output, band_rows_);
}

void FewChannelsIntegerMethod::PackWeights(const int8_t* weights,
                                           void* packed) const {
  char* const to = static_cast<char*>(packed);
  std::memset(to, 0, weights_bytes());
  for (int64_t o = 0; o < shape_.outputs; ++o) {
    for (int64_t i = 0; i < shape_.inputs; ++i) {
      for (int64_t r = 0; r < shape_.rows.kernel; ++r) {
        for (int64_t c = 0; c < shape_.columns.kernel; ++c) {
          const bool joined = pixel_ > 1;
          weights_.Put(o, r * row_products_ + (joined ? c : c / 4),
                       joined ? i : c % 4, *weights++, zero(), to);
        }
      }
    }
  }
}

int64_t FewChannelsIntegerMethod::scratch_bytes() const {
  return shape_.rows.Reach(band_rows_) * row_step_;
}

FewChannelsIntegerMethod::Band FewChannelsIntegerMethod::BandOf(
    int64_t item) const {
  const int64_t first = item % bands_ * band_rows_;
  return {item / bands_, first,
          std::min(band_rows_, shape_.rows.output - first)};
}

void FewChannelsIntegerMethod::CopyBytes(const PlanarPixels<uint8_t>& row,
                                         uint8_t* to) const {
  if (pixel_ > 1) {
    JoinChannels(row, flip(), to);
    return;
  }
  std::memcpy(to, row.first, row.count);
  if (flip() == 0) return;
  for (int64_t x = 0; x < row.count; ++x) to[x] ^= flip();
}

void FewChannelsIntegerMethod::CopyRow(const void* input, int64_t at,
                                       uint8_t* to) const {
  const int64_t width = shape_.columns.input;
  const int64_t plane = shape_.rows.input * width;
  const int64_t begin = shape_.columns.pad * pixel_;
  const int64_t end = begin + width * pixel_;
  std::memset(to, zero(), begin);
  std::memset(to + end, zero(), row_step_ - end);
  to += begin;
  if (!quantization_) {
    const auto* const bytes = static_cast<const uint8_t*>(input) + at;
    CopyBytes({bytes, plane, shape_.inputs, width}, to);
    return;
  }
  const PlanarPixels<float> row = {static_cast<const float*>(input) + at, plane,
                                   shape_.inputs, width};
  if (pixel_ > 1) {
    JoinChannels(row, *quantization_, flip(), to);
  } else {
    QuantizeChannel(row, *quantization_, flip(), to);
  }
}

void FewChannelsIntegerMethod::CopyBand(const Band& band, const void* input,
                                        uint8_t* copy) const {
  const int64_t height = shape_.rows.input, width = shape_.columns.input;
  const int64_t image = band.n * shape_.inputs * height * width;
  const int64_t top = band.first * shape_.rows.stride - shape_.rows.pad;
  for (int64_t r = 0; r < shape_.rows.Reach(band.rows); ++r) {
    const int64_t y = top + r;
    uint8_t* const to = copy + r * row_step_;
    if (y < 0 || y >= height) {
      std::memset(to, zero(), row_step_);
    } else {
      CopyRow(input, image + y * width, to);
    }
  }
}

void FewChannelsIntegerMethod::RunBand(
    const Band& band, const IntegerConvolutionOperands& operands,
    const uint8_t* copy) const {
  const auto* const packed = static_cast<const char*>(operands.weights);
  const auto* const epilogues =
      static_cast<const DotEpilogue*>(operands.packed_epilogue);
  const int64_t size =
      operands.epilogue.output_type == ElementType::kF32 ? 4 : 1;
  for (int64_t group = 0; group < weights_.groups(); ++group) {
    const int64_t first = group * kDotGroup;
    DotRow row;
    row.pixels = shape_.columns.output;
    row.channels = std::min(kDotGroup, shape_.outputs - first);
    row.input_step = shape_.columns.stride * pixel_;
    row.rows = shape_.rows.kernel;
    row.row_step = shape_.rows.dilation * row_step_;
    row.products = row_products_;
    row.product_step = pixel_ == 1 ? 4 : shape_.columns.dilation * pixel_;
    row.first_sums = weights_.FirstSums(packed, group);
    row.weights = weights_.Weights(packed, group);
    row.output_step = shape_.outputs * size;
    for (int64_t y = 0; y < band.rows; ++y) {
      const int64_t place =
          (band.n * shape_.rows.output + band.first + y) * row.pixels;
      row.input = copy + y * shape_.rows.stride * row_step_;
      row.output = static_cast<char*>(operands.output) +
                   (place * shape_.outputs + first) * size;
      RunDotRow(row, epilogues[group]);
    }
  }
}

void FewChannelsIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                   int64_t first, int64_t count,
                                   void* scratch) const {
  auto* const copy = static_cast<uint8_t*>(scratch);
  for (int64_t item = first; item < first + count; ++item) {
    const Band band = BandOf(item);
    CopyBand(band, operands.input, copy);
    RunBand(band, operands, copy);
  }
}

}  // namespace dovetail::cpu
