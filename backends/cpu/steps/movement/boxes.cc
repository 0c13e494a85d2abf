#include "dovetail/backends/cpu/steps/movement/boxes.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/slicing/pad.h"

namespace dovetail::cpu {
namespace {

// A stretch of an axis of the output: element i of it is element
// start + i * step of the input, or the value to pad with.
struct Segment {
  int64_t to = 0;
  int64_t extent = 0;
  int64_t start = 0;
  int64_t step = 1;
  bool is_value = false;
};
using Segments = std::vector<Segment>;

// More would be slower than what they replace.
constexpr size_t kMaxBoxes = 128;

void AddSegment(Segments& segments, const Segment& segment) {
  if (segment.extent > 0) segments.push_back(segment);
}

// One copy for each combination of segments, one an axis. Input 1 of the step
// is the value to pad with.
std::vector<ViewCopy> BoxesOf(const Shape& input, const Shape& output,
                              const std::vector<Segments>& axes) {
  const StridedView from = PackedView(input), to = PackedView(output);
  std::vector<ViewCopy> boxes(1);
  for (int axis = 0; axis < output.rank(); ++axis) {
    std::vector<ViewCopy> longer;
    for (const ViewCopy& box : boxes) {
      for (const Segment& segment : axes[axis]) {
        ViewCopy next = box;
        if (segment.is_value) next.input = 1;
        next.from.AddAxis(segment.extent, segment.step * from.strides[axis]);
        next.from.offset += segment.start * from.strides[axis];
        next.to.AddAxis(segment.extent, to.strides[axis]);
        next.to.offset += segment.to * to.strides[axis];
        longer.push_back(std::move(next));
      }
    }
    boxes = std::move(longer);
  }
  for (ViewCopy& box : boxes) {
    if (box.input == 0) continue;
    std::fill(box.from.strides.begin(), box.from.strides.end(), 0);
    box.from.offset = 0;
  }
  return boxes;
}

size_t CountBoxes(const std::vector<Segments>& axes) {
  size_t count = 1;
  for (const Segments& segments : axes) {
    count = std::min(kMaxBoxes + 1, count * segments.size());
  }
  return count;
}

// The axes in the order in which they are stored; those of the model are whole
// where the layout cuts channels into blocks.
std::vector<Segments> StoredSegments(const std::vector<Segments>& axes,
                                     const Shape& stored, Layout layout) {
  const int rank = static_cast<int>(axes.size());
  std::vector<Segments> result(stored.rank());
  for (int i = 0; i < rank; ++i) {
    result[StoredAxis(i, rank, layout)] = axes[i];
  }
  if (ChannelBlock(layout) > 1) {
    result[1] = {Segment{0, stored[1]}};
    result.back() = {Segment{0, stored.back()}};
  }
  return result;
}

absl::Status Emit(const Node& node, PlanBuilder& builder,
                  const std::vector<Segments>& axes, Layout layout,
                  std::vector<Operand> inputs) {
  const Value value = PlanBuilder::OutputOf(node);
  const Format format = {inputs[0].format.type, layout};
  const Shape from = StoredShape(PlanBuilder::ShapeOf(node.input(0)), layout);
  const Shape to = StoredShape(PlanBuilder::ShapeOf(value), layout);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Step> step,
      MakeCopyStep(format.type,
                   BoxesOf(from, to, StoredSegments(axes, to, layout))));
  builder.Add(node, "copy", std::move(step), inputs,
              {builder.Write(value, format)});
  return absl::OkStatus();
}

// Before (or behind) an axis of `extent` elements; false: declined.
bool AddPadding(PadMode mode, bool before, int64_t pad, int64_t extent,
                int64_t to, Segments& segments) {
  if (pad <= 0) return true;
  Segment segment{to, pad};
  const int64_t end = before ? 0 : extent - 1;
  switch (mode) {
    case PadMode::kConstant:
      segment.is_value = true;
      break;
    case PadMode::kEdge:
      segment.start = end;
      segment.step = 0;
      break;
    case PadMode::kReflect:
      if (pad >= extent) return false;
      segment.start = before ? pad : extent - 2;
      segment.step = -1;
      break;
    case PadMode::kSymmetric:
      if (pad > extent) return false;
      segment.start = before ? pad - 1 : extent - 1;
      segment.step = -1;
      break;
  }
  AddSegment(segments, segment);
  return true;
}

// An axis with so much before and behind it; false: declined.
bool AddPaddedAxis(PadMode mode, int64_t before, int64_t after, int64_t extent,
                   Segments& segments) {
  // Less than none cuts elements off.
  const int64_t first = std::max<int64_t>(0, -before);
  const int64_t last = extent - std::max<int64_t>(0, -after);
  const bool is_cut = before < 0 || after < 0;
  if (is_cut && (mode != PadMode::kConstant || first >= last)) return false;
  if (!AddPadding(mode, true, before, extent, 0, segments)) return false;
  AddSegment(segments, {before + first, last - first, first});
  return AddPadding(mode, false, after, extent, before + extent, segments);
}

// Whether the channels are not those of the input, one by one.
bool MovesChannels(const std::vector<Segments>& axes, const Shape& shape) {
  if (axes.size() < 2) return false;
  const Segments& channels = axes[1];
  return channels.size() != 1 || channels[0].start != 0 ||
         channels[0].extent != shape[1];
}

// The value to pad with, as the step reads it: of the data's type.
absl::StatusOr<Operand> ValueOperand(const Node& node, PlanBuilder& builder,
                                     ElementType type) {
  if (node.input_count() > 3 && node.input(3)) {
    return builder.Read(node.input(3), {type, Layout::kPlanar});
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor zero, Tensor::Allocate(type, {}));
  return builder.AddConstant(zero);
}

}  // namespace

absl::StatusOr<bool> EmitPad(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<PadAttributes>();
  const auto begin = ConstantList(node, 1), end = ConstantList(node, 2);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const size_t rank = shape.rank();
  if (attributes == nullptr || !begin || !end || begin->size() != rank ||
      end->size() != rank || !IsCopied(node.port().type)) {
    return false;
  }
  std::vector<Segments> axes(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t extent = shape[static_cast<int>(i)];
    if (!AddPaddedAxis(attributes->pad_mode, (*begin)[i], (*end)[i], extent,
                       axes[i])) {
      return false;
    }
  }
  if (CountBoxes(axes) > kMaxBoxes) return false;
  Format format = builder.FormatOf(node.input(0));
  const int64_t block = ChannelBlock(format.layout);
  // Channels that only fill a block have to stay 0.
  if (block > 1 && (MovesChannels(axes, shape) || shape[1] % block != 0)) {
    format.layout = Layout::kPlanar;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand value,
                            ValueOperand(node, builder, format.type));
  DOVETAIL_RETURN_IF_ERROR(
      Emit(node, builder, axes, format.layout, {data, value}));
  return true;
}

absl::StatusOr<bool> EmitRoll(const Node& node, PlanBuilder& builder) {
  const auto shifts = ConstantList(node, 1), list = ConstantList(node, 2);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  if (!shifts || !list || !IsCopied(node.port().type)) return false;
  if (shifts->size() != 1 && shifts->size() != list->size()) return false;
  std::vector<int64_t> shift(shape.rank(), 0);
  for (size_t i = 0; i < list->size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                              NormalizeAxis((*list)[i], shape.rank()));
    const int64_t by = (*shifts)[shifts->size() == 1 ? 0 : i] % shape[axis];
    shift[axis] = (shift[axis] + by + shape[axis]) % shape[axis];
  }
  std::vector<Segments> axes(shape.rank());
  for (int i = 0; i < shape.rank(); ++i) {
    AddSegment(axes[i], {0, shift[i], shape[i] - shift[i]});
    AddSegment(axes[i], {shift[i], shape[i] - shift[i]});
  }
  if (CountBoxes(axes) > kMaxBoxes) return false;
  Format format = builder.FormatOf(node.input(0));
  if (ChannelBlock(format.layout) > 1 && MovesChannels(axes, shape)) {
    format.layout = Layout::kPlanar;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_RETURN_IF_ERROR(Emit(node, builder, axes, format.layout, {data}));
  return true;
}

}  // namespace dovetail::cpu
