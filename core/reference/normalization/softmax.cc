#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/softmax.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/normalization/lanes.h"
#include "dovetail/core/reference/normalization/normalization.h"

namespace dovetail {
namespace {

// Cost of an element in simple operations: an exponential and what is around.
constexpr int64_t kCost = 25;

using Totals = std::array<double, Lanes::kBlock>;

template <typename T>
void FindGreatest(const Lanes& lanes, const Lanes::Block& block, const T* data,
                  Totals& greatest) {
  lanes.Fold(
      block, data, -std::numeric_limits<double>::infinity(), greatest.data(),
      [](double total, T x, int64_t) {
        return std::max(total, static_cast<double>(x));
      },
      [](double a, double b) { return std::max(a, b); });
}

template <typename T>
void Softmax(const Lanes& lanes, const Lanes::Block& block, const T* data,
             T* out) {
  Totals greatest, sums;
  FindGreatest(lanes, block, data, greatest);
  lanes.Map(block, data, out, [&](T x, int64_t lane) {
    return std::exp(x - static_cast<T>(greatest[lane]));
  });
  const T* const powers = out;
  lanes.Sum(block, powers, sums.data(), [](T x, int64_t) { return x; });
  for (int64_t i = 0; i < block.lanes; ++i) sums[i] = 1 / sums[i];
  lanes.Map(block, powers, out, [&](T x, int64_t lane) {
    return x * static_cast<T>(sums[lane]);
  });
}

template <typename T>
void LogSoftmax(const Lanes& lanes, const Lanes::Block& block, const T* data,
                T* out) {
  Totals greatest, sums;
  FindGreatest(lanes, block, data, greatest);
  lanes.Sum(block, data, sums.data(), [&](T x, int64_t lane) {
    return std::exp(x - static_cast<T>(greatest[lane]));
  });
  for (int64_t i = 0; i < block.lanes; ++i) sums[i] = std::log(sums[i]);
  // One after the other: the logarithm is lost in a great greatest.
  lanes.Map(block, data, out, [&](T x, int64_t lane) {
    return x - static_cast<T>(greatest[lane]) - static_cast<T>(sums[lane]);
  });
}

// Runs `kernel(lanes, block, data, out)` on every block along the node's axis.
template <typename F>
absl::Status ForEachLane(KernelContext& context, F kernel) {
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    const Tensor& data = wide.input(0);
    if (data.element_count() == 0) return absl::OkStatus();
    const Lanes lanes(
        data.shape(),
        AxisFlags({context.attributes<SoftmaxAttributes>().axis},
                  data.rank()));
    return DispatchWideFloat(data.type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      lanes.ForEachBlock(wide, kCost, [&](const Lanes::Block& block) {
        kernel(lanes, block, data.data<T>(),
               wide.output(0).mutable_data<T>());
      });
      return absl::OkStatus();
    });
  });
}

}  // namespace

absl::Status SoftmaxKernel(KernelContext& context) {
  return ForEachLane(context, [](auto&&... args) { Softmax(args...); });
}

absl::Status LogSoftmaxKernel(KernelContext& context) {
  return ForEachLane(context, [](auto&&... args) { LogSoftmax(args...); });
}

}  // namespace dovetail
