// What layers and stages have in a serialised program: each field once, with
// its name, for bytes and text, writers and readers alike.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_FIELDS_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_FIELDS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/vpu/compiler/allocation.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"

namespace dovetail::vpu {

// As "dovetail estimate" and others see it; another number, another format.
inline constexpr int kProgramVersion = 3;

// In the order of the enumerations.
inline constexpr absl::string_view kKindNames[] = {
    "input", "convolution", "pool", "products", "binary",
    "unary", "copy",        "view", "concat",   "custom"};
inline constexpr absl::string_view kLaneNames[] = {"NCE", "SHAVE", "DMA"};

inline constexpr absl::string_view kPlaceNames[] = {"CMX", "DDR"};

// For LayerKind, Lane and Place.
inline absl::Span<const absl::string_view> NamesOf(LayerKind) {
  return kKindNames;
}
inline absl::Span<const absl::string_view> NamesOf(Lane) { return kLaneNames; }
inline absl::Span<const absl::string_view> NamesOf(Place) {
  return kPlaceNames;
}

// Calls visit(name, value) for std::string, int, int64_t, enumerations and
// std::vector<int>.
template <typename AnyLayer, typename Visit>
void VisitLayer(AnyLayer& layer, Visit&& visit) {
  visit("name", layer.name);
  visit("type", layer.type);
  visit("kind", layer.kind);
  visit("inputs", layer.inputs);
  visit("in_channels", layer.shape.in_channels);
  visit("in_height", layer.shape.in_height);
  visit("in_width", layer.shape.in_width);
  visit("out_channels", layer.shape.out_channels);
  visit("out_height", layer.shape.out_height);
  visit("out_width", layer.shape.out_width);
  visit("kernel_x", layer.shape.kernel_x);
  visit("kernel_y", layer.shape.kernel_y);
  visit("stride", layer.shape.stride);
  visit("pad_x", layer.shape.pad_x);
  visit("pad_y", layer.shape.pad_y);
  visit("repeats", layer.repeats);
  visit("macs", layer.macs);
  visit("activation", layer.activation);
  visit("elements", layer.elements);
  visit("host_bytes", layer.host_bytes);
  visit("reason", layer.reason);
}

template <typename AnyStage, typename Visit>
void VisitStage(AnyStage& stage, Visit&& visit) {
  visit("layer", stage.layer);
  visit("name", stage.name);
  visit("lane", stage.lane);
  visit("cycles", stage.cycles);
  visit("compute_cycles", stage.compute_cycles);
  visit("input_cycles", stage.input_cycles);
  visit("output_cycles", stage.output_cycles);
  visit("macs", stage.macs);
  visit("bytes", stage.bytes);
  visit("ddr_cycles", stage.ddr_cycles);
  visit("shaves", stage.shaves);
  visit("hidden_cycles", stage.hidden_cycles);
  visit("bound", stage.bound);
  visit("reason", stage.reason);
}

template <typename AnyAllocation, typename Visit>
void VisitAllocation(AnyAllocation& allocation, Visit&& visit) {
  visit("layer", allocation.layer);
  visit("place", allocation.place);
  visit("offset", allocation.offset);
  visit("bytes", allocation.bytes);
  visit("last", allocation.last);
  visit("first_stage", allocation.first_stage);
  visit("last_stage", allocation.last_stage);
  visit("reason", allocation.reason);
}

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_FIELDS_H_
