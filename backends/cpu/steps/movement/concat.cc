#include "dovetail/backends/cpu/steps/movement/concat.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/joining/concat.h"

namespace dovetail::cpu {
namespace {

// Directly, or behind so many nodes: Convert and Subtract of a zero point.
bool IsReadByConvolution(const Node& node, int between = 2) {
  for (const Use& use : node.port().uses) {
    const Node& reader = *use.node;
    if (reader.Is("Convolution") || reader.Is("GroupConvolution")) return true;
    if (between > 0 && (reader.Is("Convert") || reader.Is("Subtract")) &&
        IsReadByConvolution(reader, between - 1)) {
      return true;
    }
  }
  return false;
}

// That in which most bytes of the parts are stored.
Layout ChooseLayout(const Node& node, const PlanBuilder& builder, int axis) {
  const Shape whole = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  std::map<Layout, int64_t> bytes;
  for (const Value part : node.inputs()) {
    bytes[builder.FormatOf(part).layout] += PlanBuilder::ShapeOf(part).Count();
  }
  // What integer convolutions read, unless they are those of oneDNN.
  if (BitWidth(node.port().type) == 8 && !HasDotProducts() && axis == 1 &&
      CanHaveLayout(whole, Layout::kBlocked8) && IsReadByConvolution(node) &&
      ArePartsWhole(node, axis, Layout::kBlocked8)) {
    return Layout::kBlocked8;
  }
  Layout best = Layout::kPlanar;
  int64_t most = 0;
  for (const auto& [layout, count] : bytes) {
    if (count < most || !CanHaveLayout(whole, layout)) continue;
    best = layout;
    most = count;
  }
  if (best != Layout::kPlanar && !OneDnnType(node.port().type)) {
    return Layout::kPlanar;
  }
  // Channels that do not fill blocks go one after the other only where they
  // are the last axis.
  return ArePartsWhole(node, axis, best) ? best : Layout::kChannelsLast;
}

// All parts of f32 may be stored as bf16.
ElementType StoredTypeOf(const Node& node, const PlanBuilder& builder) {
  const bool narrow = absl::c_all_of(node.inputs(), [&](const Value part) {
    return builder.FormatOf(part).type == ElementType::kBf16;
  });
  return narrow ? ElementType::kBf16
                : builder.StoredTypeOf(PlanBuilder::OutputOf(node));
}

absl::Status AddCopies(const Node& node, PlanBuilder& builder,
                       const std::vector<Operand>& parts, int axis,
                       const Format& format) {
  const Value value = PlanBuilder::OutputOf(node);
  const Shape whole = PlanBuilder::ShapeOf(value);
  const StridedView target = PackedView(StoredShape(whole, format.layout));
  const int stored = StoredAxis(axis, whole.rank(), format.layout);
  std::vector<ViewCopy> copies;
  int64_t begin = 0;
  for (const Operand& part : parts) {
    ViewCopy copy;
    copy.from = PackedView(StoredShape(part.shape, format.layout));
    const int64_t extent = copy.from.shape[stored];
    copy.to = Narrowed(target, stored, begin, extent);
    copy.input = static_cast<int>(copies.size());
    copies.push_back(std::move(copy));
    begin += extent;
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Step> step,
                            MakeCopyStep(format.type, copies));
  builder.Add(node, "copy", std::move(step), parts,
              {builder.Write(value, format)});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitConcat(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<ConcatAttributes>();
  if (attributes == nullptr || !IsCopied(node.port().type)) return false;
  const Value value = PlanBuilder::OutputOf(node);
  const Shape whole = PlanBuilder::ShapeOf(value);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, whole.rank()));
  const Format format = {StoredTypeOf(node, builder),
                         ChooseLayout(node, builder, axis)};
  std::vector<Operand> parts;
  for (const Value input : node.inputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(Operand part, builder.Read(input, format));
    part.shape = PlanBuilder::ShapeOf(input);
    parts.push_back(part);
  }
  const int stored = StoredAxis(axis, whole.rank(), format.layout);
  const bool side_by_side =
      StoredShape(whole, format.layout).Count(0, stored) == 1;
  if (side_by_side && builder.ConcatInPlace(value, parts, format)) return true;
  DOVETAIL_RETURN_IF_ERROR(AddCopies(node, builder, parts, axis, format));
  return true;
}

}  // namespace dovetail::cpu
