#include "dovetail/backends/common/kernels/dense/dense_convolution.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/kernels/dense/dense_product.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::host {
namespace {

// Pixels of a part: few enough for the second cache with all their inputs, many
// enough for weights to be read seldom.
constexpr int64_t kPixelsAtOnce = 4 * kPanelColumns;

// Parts of a layer of few pixels, so that there is work for all threads; each
// gathers its pixels again.
constexpr int64_t kLeastParts = 8;
constexpr int64_t kLeastBlocks = 4;

// Whether output and input pixels are the same.
bool IsPointwise(const WindowAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad_begin == 0 &&
         axis.output == axis.input;
}

int64_t InnerAtOnce(const DenseShape& shape, const DenseSums& sums) {
  if (sums.in_half) return 1;
  if (sums.inputs_at_once == 0) return shape.inner();
  return std::min(shape.inner(),
                  sums.inputs_at_once * shape.y.kernel * shape.x.kernel);
}

int64_t BlocksPerPart(int64_t blocks, int64_t other_parts) {
  const int64_t parts = CeilDivide(kLeastParts, other_parts);
  return std::max(kLeastBlocks, CeilDivide(blocks, parts));
}

}  // namespace

DenseConvolution::DenseConvolution(const DenseShape& shape,
                                   const float* weights,
                                   std::vector<HalfEpilogue> epilogues,
                                   const DenseSums& sums)
    : shape_(shape),
      is_pointwise_(IsPointwise(shape.y) && IsPointwise(shape.x)),
      row_blocks_(CeilDivide(shape.outputs, kRowBlock)),
      pixel_parts_(CeilDivide(shape.output_plane(), kPixelsAtOnce)),
      block_parts_(CeilDivide(
          row_blocks_, BlocksPerPart(row_blocks_, shape.images * shape.groups *
                                                      pixel_parts_))),
      blocks_per_part_(CeilDivide(row_blocks_, block_parts_)),
      inner_at_once_(InnerAtOnce(shape, sums)),
      first_(epilogues.size()),
      rest_(epilogues.size()),
      epilogues_(std::move(epilogues)) {
  const int64_t inner = shape.inner();
  const bool scales_parts = inner_at_once_ < inner && !sums.in_half;
  for (size_t c = 0; scales_parts && c < epilogues_.size(); ++c) {
    first_[c].scale = rest_[c].scale = epilogues_[c].scale;
    first_[c].shift = epilogues_[c].shift;
    epilogues_[c].scale = 1;
    epilogues_[c].shift = 0;
  }
  const int64_t size = PackedRowsSize(shape.outputs, inner);
  packed_.resize(size * shape.groups);
  for (int64_t group = 0; group < shape.groups; ++group) {
    PackRows(weights + group * shape.outputs * inner, shape.outputs, inner,
             packed_.data() + group * size);
  }
}

void DenseConvolution::Run(const uint16_t* input, uint16_t* output,
                           float* scratch, WorkTeam& team) const {
  constexpr int64_t kNumbersAtOnce = 1 << 14;
  ParallelFor(team, shape_.input_count(), kNumbersAtOnce,
              [&](int64_t begin, int64_t end) {
                WidenHalf(input + begin, end - begin, scratch + begin);
              });
  const int64_t parts =
      shape_.images * shape_.groups * pixel_parts_ * block_parts_;
  ParallelFor(team, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) RunPart(PartOf(i), scratch, output);
  });
}

DenseConvolution::Part DenseConvolution::PartOf(int64_t index) const {
  Part part;
  part.first_block = index % block_parts_ * blocks_per_part_;
  part.last_block = std::min(row_blocks_, part.first_block + blocks_per_part_);
  index /= block_parts_;
  part.first_pixel = index % pixel_parts_ * kPixelsAtOnce;
  part.pixels =
      std::min(kPixelsAtOnce, shape_.output_plane() - part.first_pixel);
  index /= pixel_parts_;
  part.group = index % shape_.groups;
  part.image = index / shape_.groups;
  return part;
}

void DenseConvolution::RunPart(const Part& part, const float* wide,
                               uint16_t* output) const {
  const int64_t inner = shape_.inner();
  const int64_t panels = CeilDivide(part.pixels, kPanelColumns);
  // Of the thread, for all layers: a run allocates nothing once it is warm.
  thread_local std::vector<float> memory;
  const int64_t needed =
      panels * inner * kPanelColumns + kRowBlock * kPanelColumns;
  constexpr int64_t kAlignment = 64 / sizeof(float);
  if (static_cast<int64_t>(memory.size()) < needed + kAlignment) {
    memory.resize(needed + kAlignment);
  }
  float* const sums = memory.data() + kAlignment -
                      reinterpret_cast<uintptr_t>(memory.data()) % 64 / 4;
  float* const gathered = sums + kRowBlock * kPanelColumns;
  for (int64_t p = 0; p < panels; ++p) {
    const int64_t first = p * kPanelColumns;
    FillPanel(part, wide, part.first_pixel + first,
              std::min(kPanelColumns, part.pixels - first),
              gathered + p * inner * kPanelColumns);
  }
  const float* const weights =
      packed_.data() + part.group * PackedRowsSize(shape_.outputs, inner);
  for (int64_t block = part.first_block; block < part.last_block; ++block) {
    for (int64_t p = 0; p < panels; ++p) {
      const float* const packed = weights + block * kRowBlock * inner;
      const float* const panel = gathered + p * inner * kPanelColumns;
      if (inner_at_once_ >= inner) {
        MultiplyPanel(packed, panel, inner, sums);
      } else {
        SumTiles(packed, panel, part.group * shape_.outputs + block * kRowBlock,
                 sums);
      }
      const int64_t first = p * kPanelColumns;
      Finish(part, sums, block * kRowBlock, part.first_pixel + first,
             std::min(kPanelColumns, part.pixels - first), output);
    }
  }
}

void DenseConvolution::SumTiles(const float* packed, const float* panel,
                                int64_t first_channel, float* sums) const {
  alignas(64) float partial[kRowBlock * kPanelColumns];
  uint16_t halves[kPanelColumns];
  const int64_t inner = shape_.inner();
  const int64_t channels = static_cast<int64_t>(epilogues_.size());
  const int64_t rows = std::min(kRowBlock, channels - first_channel);
  for (int64_t k = 0; k < inner; k += inner_at_once_) {
    MultiplyPanel(packed + k * kRowBlock, panel + k * kPanelColumns,
                  std::min(inner_at_once_, inner - k), partial);
    for (int64_t row = 0; row < rows; ++row) {
      float* const sum = sums + row * kPanelColumns;
      float* const added = partial + row * kPanelColumns;
      FinishHalf(added, (k == 0 ? first_ : rest_)[first_channel + row],
                 kPanelColumns, halves);
      WidenHalf(halves, kPanelColumns, added);
      if (k == 0) {
        std::copy_n(added, kPanelColumns, sum);
        continue;
      }
      for (int64_t i = 0; i < kPanelColumns; ++i) sum[i] += added[i];
      FinishHalf(sum, {}, kPanelColumns, halves);
      WidenHalf(halves, kPanelColumns, sum);
    }
  }
}

void DenseConvolution::FillPanel(const Part& part, const float* wide,
                                 int64_t first, int64_t columns,
                                 float* panel) const {
  const int64_t plane = shape_.y.input * shape_.x.input;
  const int64_t channels = shape_.groups * shape_.inputs;
  for (int64_t c = 0; c < shape_.inputs; ++c) {
    const int64_t channel = part.group * shape_.inputs + c;
    if (shape_.pixels_first) {
      const float* const from =
          wide + (part.image * plane + first) * channels + channel;
      for (int64_t i = 0; i < columns; ++i) panel[i] = from[i * channels];
      std::fill(panel + columns, panel + kPanelColumns, 0.0f);
      panel += kPanelColumns;
      continue;
    }
    const float* const from = wide + (part.image * channels + channel) * plane;
    if (is_pointwise_) {
      std::copy_n(from + first, columns, panel);
      std::fill(panel + columns, panel + kPanelColumns, 0.0f);
      panel += kPanelColumns;
      continue;
    }
    for (int64_t ky = 0; ky < shape_.y.kernel; ++ky) {
      for (int64_t kx = 0; kx < shape_.x.kernel; ++kx) {
        FillRow(from, ky, kx, first, columns, panel);
        panel += kPanelColumns;
      }
    }
  }
}

// What pixels from `first` on read for one place of the window.
void DenseConvolution::FillRow(const float* plane, int64_t ky, int64_t kx,
                               int64_t first, int64_t columns,
                               float* row) const {
  const WindowAxis &y = shape_.y, &x = shape_.x;
  std::fill_n(row, kPanelColumns, 0.0f);
  int64_t oy = first / x.output, ox = first % x.output;
  for (int64_t done = 0; done < columns; ++oy, ox = 0) {
    const int64_t count = std::min(columns - done, x.output - ox);
    const int64_t iy = y.Begin(oy) + ky * y.dilation;
    const int64_t ix = x.Begin(ox) + kx * x.dilation;
    if (iy >= 0 && iy < y.input) {
      const float* const from = plane + iy * x.input;
      const int64_t begin = ix >= 0 ? 0 : CeilDivide(-ix, x.stride);
      const int64_t end =
          ix >= x.input ? 0
                        : std::min(count, CeilDivide(x.input - ix, x.stride));
      if (x.stride == 1 && begin < end) {
        std::copy(from + ix + begin, from + ix + end, row + done + begin);
      } else {
        for (int64_t i = begin; i < end; ++i) {
          row[done + i] = from[ix + i * x.stride];
        }
      }
    }
    done += count;
  }
}

void DenseConvolution::Finish(const Part& part, const float* sums,
                              int64_t first_channel, int64_t first_pixel,
                              int64_t columns, uint16_t* output) const {
  const int64_t plane = shape_.output_plane();
  const int64_t channels = shape_.groups * shape_.outputs;
  const int64_t rows = std::min(kRowBlock, shape_.outputs - first_channel);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t channel = part.group * shape_.outputs + first_channel + row;
    const float* const from = sums + row * kPanelColumns;
    if (!shape_.pixels_first) {
      FinishHalf(
          from, epilogues_[channel], columns,
          output + (part.image * channels + channel) * plane + first_pixel);
      continue;
    }
    uint16_t finished[kPanelColumns];
    FinishHalf(from, epilogues_[channel], columns, finished);
    uint16_t* const to =
        output + (part.image * plane + first_pixel) * channels + channel;
    for (int64_t i = 0; i < columns; ++i) to[i * channels] = finished[i];
  }
}

}  // namespace dovetail::host
