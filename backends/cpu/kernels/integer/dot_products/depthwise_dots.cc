#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kChannelStep = 4;
constexpr int64_t kMaxRows = kMaxDotBlocks * kDotColumnRows, kMaxColumns = 16;

// How many rows of results the rows of `blocks` dot products make: a power of
// two. Windows with gaps have none in common with their neighbours.
int64_t RowsOfItem(const WindowAxis& rows, int64_t blocks) {
  int64_t count = 1;
  while (rows.dilation == 1 && count < kMaxDotResults &&
         rows.kernel + (2 * count - 1) * rows.stride <=
             blocks * kDotColumnRows) {
    count *= 2;
  }
  return count;
}

}  // namespace

bool DepthwiseDotsMethod::IsSupported(const IntegerConvolutionShape& shape) {
  const WindowAxis &rows = shape.rows, &columns = shape.columns;
  return HasDotLanes() && shape.groups > 1 && shape.inputs == shape.groups &&
         shape.outputs == shape.groups && shape.groups % kChannelStep == 0 &&
         shape.input_type == ElementType::kU8 && rows.kernel <= kMaxRows &&
         columns.kernel <= kMaxColumns && rows.kernel * columns.kernel > 1 &&
         rows.pad >= 0 && columns.pad >= 0;
}

DepthwiseDotsMethod::DepthwiseDotsMethod(const IntegerConvolutionShape& shape)
    : shape_(shape),
      pixels_(are_neighbours() ? kDotGroup / std::gcd(shape.outputs, kDotGroup)
                               : 1),
      groups_(DivideUp(pixels_ * shape.outputs, kDotGroup)),
      blocks_(DivideUp(shape.rows.kernel, kDotColumnRows)),
      rows_of_item_(RowsOfItem(shape.rows, blocks_)),
      row_parts_(DivideUp(shape.rows.output, rows_of_item_)) {}

void DepthwiseDotsMethod::PackElement(const int8_t* weights, int64_t group,
                                      int64_t i, char* of_group) const {
  const WindowAxis &rows = shape_.rows, &columns = shape_.columns;
  const int64_t channel = ChannelOf(group, i), lane = DotColumnPlace(i);
  const int32_t zero_point = ZeroPointOf(channel);
  of_group[i] = static_cast<char>(zero_point);
  auto* const sums = reinterpret_cast<int32_t*>(of_group + kFillBytes);
  char* const to = of_group + kFillBytes + kSumBytes;
  const int8_t* from = weights + channel * rows.kernel * columns.kernel;
  for (int64_t y = 0; y < rows.kernel; ++y) {
    for (int64_t x = 0; x < columns.kernel; ++x, ++from) {
      sums[lane] -= zero_point * *from;
      for (int64_t r = 0; r < rows_of_item_; ++r) {
        const int64_t row = r * rows.stride + y;
        const int64_t block =
            (r * columns.kernel + x) * blocks_ + row / kDotColumnRows;
        to[(block * kDotGroup + lane) * kDotColumnRows + row % kDotColumnRows] =
            static_cast<char>(*from);
      }
    }
  }
}

void DepthwiseDotsMethod::PackWeights(const int8_t* weights,
                                      void* packed) const {
  std::memset(packed, 0, weights_bytes());
  for (int64_t group = 0; group < groups_; ++group) {
    char* const of_group = static_cast<char*>(packed) + group * group_bytes();
    for (int64_t i = 0; i < kDotGroup; ++i) {
      PackElement(weights, group, i, of_group);
    }
  }
}

void DepthwiseDotsMethod::PackEpilogue(const IntegerEpilogue& epilogue,
                                       void* packed) const {
  auto* const to = static_cast<DotEpilogue*>(packed);
  for (int64_t group = 0; group < groups_; ++group) {
    DotChannels channels;
    for (int64_t i = 0; i < kDotGroup; ++i) {
      channels[DotColumnPlace(i)] = ChannelOf(group, i);
    }
    new (to + group) DotEpilogue(epilogue, channels);
  }
}

void DepthwiseDotsMethod::SetRows(const IntegerConvolutionOperands& operands,
                                  int64_t image, int64_t first_row,
                                  DotColumnRow& row) const {
  const WindowAxis& rows = shape_.rows;
  row.rows = std::min(rows_of_item_, rows.output - first_row);
  const auto* const input = static_cast<const uint8_t*>(operands.input);
  const int64_t top = first_row * rows.stride - rows.pad;
  // The windows of the last rows of results do not reach all.
  const int64_t reach = rows.kernel + (row.rows - 1) * rows.stride;
  for (int64_t r = 0; r < blocks_ * kDotColumnRows; ++r) {
    const int64_t y = top + r * rows.dilation;
    row.input[r] = r < reach && y >= 0 && y < rows.input
                       ? input + (image * rows.input + y) * row.input_size
                       : nullptr;
  }
  const int64_t size =
      operands.epilogue.output_type == ElementType::kF32 ? 4 : 1;
  for (int64_t r = 0; r < row.rows; ++r) {
    row.output[r] =
        static_cast<char*>(operands.output) +
        (image * rows.output + first_row + r) * row.output_size * size;
  }
}

void DepthwiseDotsMethod::Run(const IntegerConvolutionOperands& operands,
                              int64_t first, int64_t count, void*) const {
  const auto* const packed = static_cast<const char*>(operands.weights);
  const auto* const epilogues =
      static_cast<const DotEpilogue*>(operands.packed_epilogue);
  const int64_t channels = shape_.outputs;
  DotColumnRow row;
  row.input_size = shape_.columns.input * channels;
  row.output_size = shape_.columns.output * channels;
  row.blocks = blocks_;
  row.columns = shape_.columns.kernel;
  row.weight_rows = rows_of_item_;
  row.column_step = shape_.columns.dilation * channels;
  row.output_step = pixels_ * channels;
  row.input_step = row.output_step * shape_.columns.stride;
  if (shape_.columns.dilation == 1) {
    row.shared =
        std::max<int64_t>(0, row.columns - pixels_ * shape_.columns.stride);
  }
  for (int64_t item = first; item < first + count; ++item) {
    const int64_t group = item % groups_, of_rows = item / groups_;
    SetRows(operands, of_rows / row_parts_,
            of_rows % row_parts_ * rows_of_item_, row);
    row.output_at = group * kDotGroup;
    row.lanes = are_neighbours()
                    ? kDotGroup
                    : std::min(kDotGroup, channels - row.output_at);
    row.input_at = row.output_at - shape_.columns.pad * channels;
    const char* const of_group = packed + group * group_bytes();
    row.fill = reinterpret_cast<const uint8_t*>(of_group);
    const char* const numbers = of_group + kFillBytes;
    row.first_sums = reinterpret_cast<const int32_t*>(numbers);
    row.weights = reinterpret_cast<const int8_t*>(numbers + kSumBytes);
    RunDotColumns(row, epilogues[group]);
  }
}

}  // namespace dovetail::cpu
