#include "dovetail/core/ops/movement/slicing/pad.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// That `pad` elements can be made from the elements of an axis.
absl::Status CheckPad(const InferContext& context, int axis, int64_t pad) {
  const PadMode mode = context.attributes<PadAttributes>().pad_mode;
  if (pad <= 0 || mode == PadMode::kConstant) return absl::OkStatus();
  const int64_t extent = context.shape(0)[axis].max();
  const int64_t most = mode == PadMode::kReflect     ? extent - 1
                       : mode == PadMode::kSymmetric ? extent
                       : extent > 0                  ? pad
                                                     : 0;
  if (pad <= most) return absl::OkStatus();
  return context.Error("pads axis ", axis, " of input 0 of shape ",
                       context.shape(0).ToString(), " by ", pad,
                       ", want at most ", most, " in this pad_mode");
}

// Elements added or dropped at one end: an interval of whole numbers.
struct Amount {
  int64_t least, most;
};

// Bounds up to this are exact, and kernels may add them to positions; all beyond
// is either unknown or absurd.
constexpr int64_t kMax = int64_t{1} << 52;

Amount AmountOf(const ValueRange::Interval& element) {
  const auto cut = [](double bound) {
    return static_cast<int64_t>(
        std::clamp<double>(bound, -2.0 * kMax, 2.0 * kMax));
  };
  return {cut(element.lower), cut(element.upper)};
}

// `bound` and what is added to it; endless where either is.
int64_t Plus(int64_t bound, int64_t begin, int64_t end) {
  if (bound == Dimension::kInfinity || begin > kMax || end > kMax) {
    return Dimension::kInfinity;
  }
  return CheckedAdd(bound, begin + end).value_or(Dimension::kInfinity);
}

// An axis of `extent` with elements added or dropped at both ends.
absl::StatusOr<Dimension> PaddedExtent(const InferContext& context, int axis,
                                       const Dimension& extent,
                                       const Amount& begin,
                                       const Amount& end) {
  DOVETAIL_RETURN_IF_ERROR(CheckPad(context, axis, begin.least));
  DOVETAIL_RETURN_IF_ERROR(CheckPad(context, axis, end.least));
  const int64_t min = Plus(extent.min(), begin.least, end.least);
  const int64_t max = Plus(extent.max(), begin.most, end.most);
  if (max < 0 || min > 2 * kMax || begin.least > kMax || end.least > kMax ||
      begin.most < -kMax || end.most < -kMax) {
    return context.Error("pads axis ", axis, " of input 0 of shape ",
                         context.shape(0).ToString(), " by ", begin.least,
                         " and ", end.least,
                         ", which leaves no possible extent");
  }
  return Dimension(std::max<int64_t>(min, 0), max);
}

absl::StatusOr<PartialShape> PaddedShape(const InferContext& context) {
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) return ShapeOfLength(context.shape(1));
  const ValueRange* begin = context.value(1);
  const ValueRange* end = context.value(2);
  if (begin == nullptr || end == nullptr) return UnknownOfRank(data.rank());
  PartialShape shape = data;
  for (int axis = 0; axis < data.rank(); ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shape[axis],
        PaddedExtent(context, axis, data[axis], AmountOf((*begin)[axis]),
                     AmountOf((*end)[axis])));
  }
  return shape;
}

// Notes the elements of output 0 where those of the data are known.
void PropagatePad(InferContext& context) {
  const ValueRange* value = context.wants_values() ? context.value(0) : nullptr;
  const bool constant =
      context.attributes<PadAttributes>().pad_mode == PadMode::kConstant;
  const std::optional<std::vector<int64_t>> begin = context.ints(1);
  const absl::StatusOr<Shape> from = context.shape(0).ToShape();
  const absl::StatusOr<Shape> to = context.outputs()[0].shape.ToShape();
  if (value == nullptr || !constant || !begin || !from.ok() || !to.ok() ||
      to->Count() > ValueRange::kMaxElements) {
    return;
  }
  ValueRange::Interval fill = {0, 0};
  if (context.has_input(3)) {
    const ValueRange* given = context.value(3);
    fill = given != nullptr ? (*given)[0] : UnknownElement();
  }
  std::vector<ValueRange::Interval> elements;
  for (int64_t i = 0; i < to->Count(); ++i) {
    int64_t rest = i, at = 0, stride = 1;
    bool inside = true;
    for (int axis = to->rank() - 1; axis >= 0; --axis) {
      const int64_t position = rest % (*to)[axis] - (*begin)[axis];
      rest /= (*to)[axis];
      inside = inside && position >= 0 && position < (*from)[axis];
      if (inside) at += position * stride;
      stride *= (*from)[axis];
    }
    elements.push_back(inside ? (*value)[at] : fill);
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

}  // namespace

absl::Span<const EnumName> EnumNames(PadMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(PadMode::kConstant), "constant"},
      {static_cast<int>(PadMode::kEdge), "edge"},
      {static_cast<int>(PadMode::kReflect), "reflect"},
      {static_cast<int>(PadMode::kSymmetric), "symmetric"},
  };
  return kNames;
}

absl::Status InferPad(InferContext& context) {
  for (int i = 1; i <= 2; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireLengthIsRank(context, i, 0));
  }
  DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, 2));
  ElementType type = context.type(0);
  if (context.has_input(3)) {
    DOVETAIL_ASSIGN_OR_RETURN(type, RequireSameType(context, {0, 3}));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 0));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, PaddedShape(context));
  context.SetOutput(0, type, std::move(shape));
  PropagatePad(context);
  return absl::OkStatus();
}

}  // namespace dovetail
