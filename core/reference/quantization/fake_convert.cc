#include <algorithm>
#include <array>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/quantization/fake_convert.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/rows.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/quantization/broadcast_to_data.h"
#include "dovetail/core/reference/quantization/quantization.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {
namespace {

// Cost of an element in simple operations: three conversions.
constexpr int64_t kCost = 40;

// The nearest number of the 8-bit type, even on a tie, after rounding to f16.
template <typename Narrow>
float RoundTo(float x, float largest) {
  const float half = Float16(x);
  return Narrow(std::clamp(half, -largest, largest));
}

float RoundToE4M3(float x) { return RoundTo<Float8E4M3>(x, 448); }
float RoundToE5M2(float x) { return RoundTo<Float8E5M2>(x, 57344); }

template <typename T>
void ConvertAll(KernelContext& context) {
  const Tensor& data = context.input(0);
  const bool shifts = context.has_input(2);
  const T no_shift = 0;
  const T* const x = data.data<T>();
  const T* const scale = context.input(1).data<T>();
  const T* const shift = shifts ? context.input(2).data<T>() : &no_shift;
  T* const out = context.output(0).mutable_data<T>();
  const BroadcastRows<2> rows(
      data.shape(),
      {BroadcastToDataStrides(context.input(1).shape(), data.shape()),
       BroadcastToDataStrides(shifts ? context.input(2).shape() : Shape(),
                              data.shape())});
  const int64_t scale_step = rows.steps(0), shift_step = rows.steps(1);
  const auto round =
      context.attributes<FakeConvertAttributes>().destination_type ==
              ElementType::kF8E4M3
          ? &RoundToE4M3
          : &RoundToE5M2;
  ParallelLoop(
      context, data.element_count(), kCost, [&](int64_t begin, int64_t end) {
        rows.ForEach(begin, end, [&](const std::array<int64_t, 2>& offsets,
                                     int64_t first, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            const T s = scale[offsets[0] + i * scale_step];
            const T o = shift[offsets[1] + i * shift_step];
            const T moved = x[first + i] * s - o;
            out[first + i] =
                (static_cast<T>(round(static_cast<float>(moved))) + o) / s;
          }
        });
      });
}

}  // namespace

absl::Status FakeConvertKernel(KernelContext& context) {
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      ConvertAll<typename decltype(tag)::type>(wide);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
