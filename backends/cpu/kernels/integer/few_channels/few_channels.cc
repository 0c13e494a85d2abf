#include "dovetail/backends/cpu/kernels/integer/few_channels/few_channels.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/integer/few_channels/few_channels_band.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kMostChannels = 4;
constexpr int64_t kItemsOfThread = 4;
// What a copy may take: half of an L2 cache.
constexpr int64_t kCopyBytes = 256 << 10;
// Vectors are read and written whole behind the end of a row.
constexpr int64_t kRoom = 64;

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t RoundUp(int64_t a) { return DivideUp(a, kRoom) * kRoom; }

// What `count` results read.
int64_t Reach(const WindowAxis& axis, int64_t count) {
  return (count - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
}

// Pixels of a row of the copy: at least the padding and the input.
int64_t CopiedColumns(const WindowAxis& axis) {
  return std::max(Reach(axis, axis.output), axis.pad + axis.input);
}

}  // namespace

bool FewChannelsIntegerMethod::IsSupported(
    const IntegerConvolutionShape& shape) {
  // Of one channel, neighbours are multiplied together.
  return HasFewChannelsBand() && shape.groups == 1 &&
         shape.inputs <= kMostChannels && shape.rows.pad >= 0 &&
         shape.columns.pad >= 0 &&
         (shape.inputs > 1 || shape.columns.dilation == 1);
}

FewChannelsIntegerMethod::FewChannelsIntegerMethod(
    const IntegerConvolutionShape& shape, int threads)
    : shape_(shape),
      pixel_(shape.inputs == 1 ? 1 : 4),
      row_step_(RoundUp(CopiedColumns(shape.columns) * pixel_ + kRoom)) {
  const int64_t fit =
      (kCopyBytes / row_step_ - Reach(shape.rows, 1)) / shape.rows.stride;
  const int64_t wanted =
      DivideUp(shape.rows.output, threads == 1 ? 1 : threads * kItemsOfThread);
  band_rows_ =
      std::clamp<int64_t>(std::min(wanted, fit), 1, shape.rows.output);
  bands_ = DivideUp(shape.rows.output, band_rows_);
}

int64_t FewChannelsIntegerMethod::weights_bytes() const {
  return vectors() * (kLanes * static_cast<int64_t>(sizeof(int32_t)) +
                      VectorWeights());
}

// First the sums to begin with, of all outputs, for zeros that are another
// number; then [group][row][product][output of the group][4].
void FewChannelsIntegerMethod::PackWeights(const int8_t* weights,
                                           void* packed) const {
  std::memset(packed, 0, weights_bytes());
  int32_t* const sums = static_cast<int32_t*>(packed);
  const int64_t rows = shape_.rows.kernel, columns = shape_.columns.kernel;
  for (int64_t o = 0; o < shape_.outputs; ++o) {
    const int64_t group = o / (kMostVectors * kLanes);
    const int64_t first = group * kMostVectors;
    const int64_t lanes =
        std::min(kMostVectors, vectors() - first) * kLanes;
    int8_t* const to = const_cast<int8_t*>(Weights(packed, group)) +
                       (o - first * kLanes) * 4;
    for (int64_t i = 0; i < shape_.inputs; ++i) {
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) {
          const int8_t weight = *weights++;
          const int64_t product =
              r * row_products() + (pixel_ == 1 ? c / 4 : c);
          to[product * lanes * 4 + (pixel_ == 1 ? c % 4 : i)] = weight;
          sums[o] -= zero() * weight;
        }
      }
    }
  }
}

const int32_t* FewChannelsIntegerMethod::FirstSums(const void* packed,
                                                   int64_t group) const {
  return static_cast<const int32_t*>(packed) + group * kMostVectors * kLanes;
}

const int8_t* FewChannelsIntegerMethod::Weights(const void* packed,
                                                int64_t group) const {
  const auto* const behind_sums = reinterpret_cast<const int8_t*>(
      static_cast<const int32_t*>(packed) + vectors() * kLanes);
  return behind_sums + group * kMostVectors * VectorWeights();
}

int64_t FewChannelsIntegerMethod::scratch_bytes() const {
  return Reach(shape_.rows, band_rows_) * row_step_;
}

FewChannelsIntegerMethod::Band FewChannelsIntegerMethod::BandOf(
    int64_t item) const {
  const int64_t first = item % bands_ * band_rows_;
  return {item / bands_, first,
          std::min(band_rows_, shape_.rows.output - first)};
}

void FewChannelsIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                                   int64_t first, int64_t count,
                                   void* scratch) const {
  const auto* const input = static_cast<const uint8_t*>(operands.input);
  const int64_t plane = shape_.rows.input * shape_.columns.input;
  auto* const copy = static_cast<uint8_t*>(scratch);
  for (int64_t item = first; item < first + count; ++item) {
    const Band band = BandOf(item);
    const int64_t top = band.first * shape_.rows.stride - shape_.rows.pad;
    for (int64_t r = 0; r < Reach(shape_.rows, band.rows); ++r) {
      const int64_t y = top + r;
      uint8_t* const to = copy + r * row_step_;
      if (y < 0 || y >= shape_.rows.input) {
        std::memset(to, zero(), row_step_);
      } else {
        CopyFewChannelsRow(*this,
                           input + band.n * shape_.inputs * plane +
                               y * shape_.columns.input,
                           to);
      }
    }
    RunFewChannelsBand(*this, operands, band, copy);
  }
}

}  // namespace dovetail::cpu
