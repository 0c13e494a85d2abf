#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/convolution/few_channels_band.h"
#include "dovetail/backends/cpu/kernels/convolution/output_group.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kTogether = kFewChannelsTogether;
// What a copy may take, in floats: half of the L2 cache.
constexpr int64_t kCopyFloats = 64 << 10;
constexpr int64_t kItemsOfThread = 4;

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

int64_t FewChannelsConvolution::Lanes() { return FewChannelsVectorLanes(); }

FewChannelsConvolution::FewChannelsConvolution(const FewChannelsShape& shape,
                                               int threads,
                                               int64_t least_products)
    : shape_(shape),
      lanes_(Lanes()),
      row_step_(shape.columns.Reach(shape.columns.output)) {
  const int64_t row_work = shape.outputs * shape.taps() * shape.columns.output;
  const int64_t fit =
      (kCopyFloats / (shape.inputs * row_step_) - shape.rows.Reach(1)) /
      shape.rows.stride;
  const int64_t wanted =
      DivideUp(shape.rows.output, threads == 1 ? 1 : threads * kItemsOfThread);
  band_rows_ =
      std::max(std::min(wanted, fit), DivideUp(least_products, row_work));
  band_rows_ = std::clamp<int64_t>(band_rows_, 1, shape.rows.output);
  bands_ = DivideUp(shape.rows.output, band_rows_);
  copied_rows_ = shape.rows.Reach(band_rows_);
  for (int64_t c = 0; c < shape.inputs; ++c) {
    for (int64_t r = 0; r < shape.rows.kernel; ++r) {
      const int64_t row = c * copied_rows_ + r * shape.rows.dilation;
      for (int64_t k = 0; k < shape.columns.kernel; ++k) {
        offsets_.push_back(
            static_cast<int32_t>(row * row_step_ + k * shape.columns.dilation));
      }
    }
  }
}

int64_t FewChannelsConvolution::weights_floats() const {
  return shape_.taps() * (shape_.result == FewChannelsShape::Result::kPlanar
                              ? shape_.outputs
                              : output_blocks() * lanes_);
}

// To [group][tap][outputs of the group].
void FewChannelsConvolution::PackWeights(const float* weights,
                                         float* packed) const {
  const int64_t taps = shape_.taps();
  const auto pack = [&](int64_t first, int64_t lanes) {
    for (int64_t t = 0; t < taps; ++t) {
      for (int64_t o = first; o < first + lanes; ++o) {
        *packed++ = o < shape_.outputs ? weights[o * taps + t] : 0.0f;
      }
    }
  };
  if (shape_.result == FewChannelsShape::Result::kPlanar) {
    for (int64_t o = 0; o < shape_.outputs; o += kTogether) {
      pack(o, std::min(kTogether, shape_.outputs - o));
    }
    return;
  }
  for (int64_t g = 0; g < OutputGroup::Count(output_blocks()); ++g) {
    const OutputGroup group(output_blocks(), g);
    pack(group.first_block * lanes_, group.blocks * lanes_);
  }
}

int64_t FewChannelsConvolution::scratch_floats() const {
  // The last vectors of columns reach beyond the copy.
  return shape_.inputs * copied_rows_ * row_step_ + lanes_;
}

FewChannelsConvolution::Band FewChannelsConvolution::BandOf(
    int64_t item) const {
  const int64_t first = item % bands_ * band_rows_;
  return {item / bands_, first,
          std::min(band_rows_, shape_.rows.output - first)};
}

void FewChannelsConvolution::CopyBand(const Band& band, const float* input,
                                      float* copy) const {
  const int64_t top = band.first * shape_.rows.stride - shape_.rows.pad;
  const int64_t pad = std::min(shape_.columns.pad, row_step_);
  const int64_t count = std::min(shape_.columns.input, row_step_ - pad);
  const int64_t rows = shape_.rows.Reach(band.rows);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t y = top + r;
    const bool is_there = 0 <= y && y < shape_.rows.input;
    float* const row = copy + r * row_step_;
    for (int64_t c = 0; c < shape_.inputs; ++c) {
      float* const to = row + c * copied_rows_ * row_step_;
      std::fill_n(to, is_there ? pad : row_step_, 0.0f);
      if (is_there) std::fill(to + pad + count, to + row_step_, 0.0f);
    }
    if (is_there) CopyRow(band.n, y, count, input, row + pad);
  }
}

// The first `count` elements of row `y` of each channel.
void FewChannelsConvolution::CopyRow(int64_t n, int64_t y, int64_t count,
                                     const float* input, float* copy) const {
  const int64_t height = shape_.rows.input, width = shape_.columns.input;
  const int64_t plane = copied_rows_ * row_step_;
  const int64_t last = (n * height + y) * width * shape_.inputs;
  switch (shape_.source) {
    case FewChannelsShape::Source::kChannelsLast:
      return SeparateChannels(input + last, count, shape_.inputs, plane, copy);
    case FewChannelsShape::Source::kBytes:
      return SeparateBytes(reinterpret_cast<const uint8_t*>(input) + last,
                           count, shape_, plane, copy);
    case FewChannelsShape::Source::kPlanar:
      break;
  }
  for (int64_t c = 0; c < shape_.inputs; ++c) {
    const float* row = input + ((n * shape_.inputs + c) * height + y) * width;
    std::copy_n(row, count, copy + c * plane);
  }
}

void FewChannelsConvolution::Run(const ConvolutionOperands& operands,
                                 int64_t first, int64_t count,
                                 float* scratch) const {
  for (int64_t item = first; item < first + count; ++item) {
    const Band band = BandOf(item);
    CopyBand(band, operands.input, scratch);
    RunFewChannelsBand(*this, operands, band, scratch);
  }
}

}  // namespace dovetail::cpu
