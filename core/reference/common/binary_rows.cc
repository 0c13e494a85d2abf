#include "dovetail/core/reference/common/binary_rows.h"

#include <algorithm>
#include <array>

#include "dovetail/core/reference/common/half_blocks.h"
#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/rows.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {
namespace {

// One operand of a row: where it begins, and whether it steps.
struct Operand {
  const char* data;
  int64_t first;
  bool steps;
};

// A row of half precision, block by block.
void RunHalfRow(ElementType type, ElementType out_type, BinaryRowFn row,
                const Operand& a, const Operand& b, void* out, int64_t first,
                int64_t count) {
  float x[kHalfBlock], y[kHalfBlock], z[kHalfBlock];
  for (int64_t i = 0; i < count; i += kHalfBlock) {
    const int64_t n = std::min(kHalfBlock, count - i);
    WidenHalfPrecision(type, a.data, a.first + (a.steps ? i : 0),
                       a.steps ? n : 1, x);
    WidenHalfPrecision(type, b.data, b.first + (b.steps ? i : 0),
                       b.steps ? n : 1, y);
    if (IsHalfPrecision(out_type)) {
      row(x, y, z, n, a.steps, b.steps);
      NarrowToHalfPrecision(out_type, z, n, out, first + i);
    } else {
      row(x, y, static_cast<bool*>(out) + first + i, n, a.steps, b.steps);
    }
  }
}

}  // namespace

absl::Status RunBinaryRows(KernelContext& context, Alignment alignment,
                           BinaryRowFn row, int64_t cost,
                           const Shape& shape_b) {
  const Tensor& a = context.input(0);
  const Tensor& b = context.input(1);
  const Tensor& out = context.output(0);
  if (row == nullptr) return NoKernelFor(context, a.type());
  const int first_axis = alignment == Alignment::kFirst ? 0 : -1;
  const BroadcastRows<2> rows(
      out.shape(), {BroadcastStrides(a.shape(), out.shape(), first_axis),
                    BroadcastStrides(shape_b, out.shape(), first_axis)});
  const int64_t size = BitWidth(a.type()) / 8;
  const int64_t out_size = BitWidth(out.type()) / 8;
  const auto* data_a = static_cast<const char*>(a.raw_data());
  const auto* data_b = static_cast<const char*>(b.raw_data());
  auto* data_out = static_cast<char*>(out.mutable_raw_data());
  const bool half = IsHalfPrecision(a.type());
  ParallelLoop(
      context, out.element_count(), cost, [&](int64_t begin, int64_t end) {
        rows.ForEach(begin, end, [&](const std::array<int64_t, 2>& from,
                                     int64_t to, int64_t count) {
          if (half) {
            RunHalfRow(a.type(), out.type(), row,
                       {data_a, from[0], rows.steps(0)},
                       {data_b, from[1], rows.steps(1)}, data_out, to, count);
          } else {
            row(data_a + from[0] * size, data_b + from[1] * size,
                data_out + to * out_size, count, rows.steps(0),
                rows.steps(1));
          }
        });
      });
  return absl::OkStatus();
}

absl::Status RunBinaryRows(KernelContext& context, Alignment alignment,
                           BinaryRowFn row, int64_t cost) {
  return RunBinaryRows(context, alignment, row, cost,
                       context.input(1).shape());
}

}  // namespace dovetail
