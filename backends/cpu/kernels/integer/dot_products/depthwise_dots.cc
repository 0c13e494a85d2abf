#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kWindow = 3;
constexpr int64_t kChannelStep = 8;

bool IsWindow(const WindowAxis& axis) {
  return axis.kernel == kWindow && axis.dilation == 1 && axis.pad >= 0;
}

}  // namespace

bool DepthwiseDotsMethod::IsSupported(const IntegerConvolutionShape& shape) {
  return HasDotLanes() && shape.groups > 1 && shape.inputs == shape.groups &&
         shape.outputs == shape.groups && shape.groups % kChannelStep == 0 &&
         shape.input_type == ElementType::kU8 && IsWindow(shape.rows) &&
         IsWindow(shape.columns);
}

DepthwiseDotsMethod::DepthwiseDotsMethod(const IntegerConvolutionShape& shape)
    : shape_(shape),
      pixels_(are_neighbours()
                  ? kDotGroup / std::gcd(shape.outputs, kDotGroup)
                  : 1),
      groups_(DivideUp(pixels_ * shape.outputs, kDotGroup)),
      rows_of_item_(shape.rows.stride == 1 ? 2 : 1),
      row_pairs_(DivideUp(shape.rows.output, rows_of_item_)) {}

void DepthwiseDotsMethod::PackWeights(const int8_t* weights,
                                      void* packed) const {
  std::memset(packed, 0, weights_bytes());
  for (int64_t group = 0; group < groups_; ++group) {
    char* const of_group = static_cast<char*>(packed) + group * kGroupBytes;
    auto* const sums = reinterpret_cast<int32_t*>(of_group + kFillBytes);
    char* const to = of_group + kFillBytes + kSumBytes;
    for (int64_t i = 0; i < kDotGroup; ++i) {
      const int64_t channel = ChannelOf(group, i);
      const int32_t zero_point = shape_.zero_points.empty()
                                     ? shape_.zero_point
                                     : shape_.zero_points[channel];
      of_group[i] = static_cast<char>(zero_point);
      const int8_t* const from = weights + channel * kWindow * kWindow;
      const int64_t lane = DotColumnPlace(i);
      for (int64_t tap = 0; tap < kWindow * kWindow; ++tap) {
        const int64_t y = tap / kWindow, x = tap % kWindow;
        sums[lane] -= zero_point * from[tap];
        for (int64_t row = 0; row < 2; ++row) {
          const int64_t column = row * kDotColumns + x;
          to[(column * kDotGroup + lane) * 4 + row + y] =
              static_cast<char>(from[tap]);
        }
      }
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
  // The windows of one row of results do not reach the fourth.
  const int64_t reach = kWindow + row.rows - 1;
  for (int64_t r = 0; r < kDotColumnRows; ++r) {
    const int64_t y = top + r;
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
  row.column_step = channels;
  row.output_step = pixels_ * channels;
  row.input_step = row.output_step * shape_.columns.stride;
  row.shared =
      std::max<int64_t>(0, kWindow - pixels_ * shape_.columns.stride);
  for (int64_t item = first; item < first + count; ++item) {
    const int64_t group = item % groups_, of_rows = item / groups_;
    SetRows(operands, of_rows / row_pairs_,
            of_rows % row_pairs_ * rows_of_item_, row);
    row.output_at = group * kDotGroup;
    row.lanes = are_neighbours()
                    ? kDotGroup
                    : std::min(kDotGroup, channels - row.output_at);
    row.input_at = row.output_at - shape_.columns.pad * channels;
    const char* const of_group = packed + group * kGroupBytes;
    row.fill = reinterpret_cast<const uint8_t*>(of_group);
    const char* const numbers = of_group + kFillBytes;
    row.first_sums = reinterpret_cast<const int32_t*>(numbers);
    row.weights = reinterpret_cast<const int8_t*>(numbers + kSumBytes);
    RunDotColumns(row, epilogues[group]);
  }
}

}  // namespace dovetail::cpu
