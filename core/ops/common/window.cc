#include "dovetail/core/ops/common/window.h"

#include <algorithm>
#include <optional>

#include "absl/strings/string_view.h"

namespace dovetail {
namespace {

constexpr EnumName kAutoPadNames[] = {
    {static_cast<int>(AutoPad::kExplicit), "explicit"},
    {static_cast<int>(AutoPad::kSameUpper), "same_upper"},
    {static_cast<int>(AutoPad::kSameLower), "same_lower"},
    {static_cast<int>(AutoPad::kValid), "valid"},
    {static_cast<int>(AutoPad::kExplicit), "notset"},
};
constexpr EnumName kRoundingNames[] = {
    {static_cast<int>(Rounding::kFloor), "floor"},
    {static_cast<int>(Rounding::kCeil), "ceil"},
    {static_cast<int>(Rounding::kCeilTorch), "ceil_torch"},
};

bool IsSame(AutoPad auto_pad) {
  return auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower;
}

int64_t At(const std::vector<int64_t>& list, int axis, int64_t otherwise) {
  return list.empty() ? otherwise : list[axis];
}

// ceil(a / b) for a >= 0, b > 0.
int64_t Ceil(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// `axis` with strides, dilations and explicit pads, but without an output.
WindowAxis AxisOf(const SlidingWindow& window, int axis, int64_t input,
                  int64_t kernel) {
  WindowAxis result;
  result.input = input;
  result.kernel = kernel;
  result.stride = At(window.strides, axis, 1);
  result.dilation = At(window.dilations, axis, 1);
  if (window.auto_pad == AutoPad::kExplicit) {
    result.pad_begin = At(window.pads_begin, axis, 0);
    result.pad_end = At(window.pads_end, axis, 0);
  }
  return result;
}

// Number of windows; nothing when the padded input is shorter than one.
std::optional<int64_t> Count(const SlidingWindow& window,
                             const WindowAxis& axis) {
  if (IsSame(window.auto_pad)) {
    // Pads are never negative: where strides are greater than windows, rounding
    // up may find room for one more.
    const int64_t count = Ceil(axis.input, axis.stride);
    const bool more = window.rounding == Rounding::kCeil && count > 0 &&
                      axis.input - axis.span() > (count - 1) * axis.stride;
    return more ? count + 1 : count;
  }
  const int64_t padding = axis.pad_begin + axis.pad_end;
  if (padding > 0 && axis.input > Dimension::kInfinity - padding) {
    return Dimension::kInfinity;
  }
  const int64_t room = axis.input + padding - axis.span();
  if (room < 0) return std::nullopt;
  if (window.rounding == Rounding::kFloor) return room / axis.stride + 1;
  const int64_t count = Ceil(room, axis.stride) + 1;
  if (window.rounding == Rounding::kCeilTorch && count > 1 &&
      count - 1 >= Ceil(axis.input + axis.pad_begin, axis.stride)) {
    return count - 1;
  }
  return count;
}

absl::Status CheckList(const InferContext& context, absl::string_view name,
                       const std::vector<int64_t>& list, int spatial_rank,
                       int64_t least) {
  if (list.empty()) return absl::OkStatus();
  if (static_cast<int>(list.size()) != spatial_rank) {
    return context.Error("attribute '", name, "' has ", list.size(),
                         " values, want ", spatial_rank,
                         ", one for each spatial axis");
  }
  for (int64_t value : list) {
    if (value < least || value > kMaxWindowNumber) {
      return context.Error("attribute '", name, "' has the value ", value,
                           ", want ", least, " to ", kMaxWindowNumber);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Span<const EnumName> EnumNames(AutoPad) { return kAutoPadNames; }
absl::Span<const EnumName> EnumNames(Rounding) { return kRoundingNames; }

absl::Status CheckWindow(const InferContext& context,
                         const SlidingWindow& window, int spatial_rank,
                         bool pads_not_negative) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckList(context, "strides", window.strides, spatial_rank, 1));
  DOVETAIL_RETURN_IF_ERROR(
      CheckList(context, "dilations", window.dilations, spatial_rank, 1));
  if (window.auto_pad != AutoPad::kExplicit) return absl::OkStatus();
  const int64_t least = pads_not_negative ? 0 : -kMaxWindowNumber;
  DOVETAIL_RETURN_IF_ERROR(
      CheckList(context, "pads_begin", window.pads_begin, spatial_rank, least));
  return CheckList(context, "pads_end", window.pads_end, spatial_rank, least);
}

absl::StatusOr<Dimension> WindowCount(const InferContext& context,
                                      const SlidingWindow& window, int axis,
                                      const Dimension& input,
                                      const Dimension& kernel) {
  if (kernel.min() > kMaxWindowNumber || kernel.max() < 1) {
    return context.Error("the kernel has extent ", kernel.ToString(),
                         " along spatial axis ", axis, ", want 1 to ",
                         kMaxWindowNumber);
  }
  const WindowAxis most =
      AxisOf(window, axis, input.max(), std::max<int64_t>(kernel.min(), 1));
  const std::optional<int64_t> max = Count(window, most);
  if (!max.has_value()) {
    return context.Error(
        "along spatial axis ", axis, " a window spans ", most.span(),
        " elements (kernel ", most.kernel, ", dilation ", most.dilation,
        ") and the padded input has only ",
        most.input + most.pad_begin + most.pad_end);
  }
  const WindowAxis least = AxisOf(window, axis, input.min(),
                                  std::min(kernel.max(), kMaxWindowNumber));
  const bool unbounded = input.max() == Dimension::kInfinity;
  return Dimension(std::min(Count(window, least).value_or(1), *max),
                   unbounded ? Dimension::kInfinity : *max);
}

WindowAxis ResolveWindow(const SlidingWindow& window, int axis, int64_t input,
                         int64_t kernel, int64_t output) {
  WindowAxis result = AxisOf(window, axis, input, kernel);
  result.output = output;
  if (IsSame(window.auto_pad)) {
    const int64_t count = std::min(output, Ceil(input, result.stride));
    const int64_t total = std::max<int64_t>(
        (count - 1) * result.stride + result.span() - input, 0);
    const int64_t less = total / 2;
    const bool upper = window.auto_pad == AutoPad::kSameUpper;
    result.pad_begin = upper ? less : total - less;
    result.pad_end = total - result.pad_begin;
  }
  return result;
}

}  // namespace dovetail
