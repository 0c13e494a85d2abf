#include "dovetail/backends/vpu/simulator/accumulation.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling/tiling.h"

namespace dovetail::vpu {

Accumulation AccumulationOf(absl::string_view name) {
  if (name == "F32") return Accumulation::kF32;
  return name == "F16" ? Accumulation::kF16 : Accumulation::kEngine;
}

host::DenseSums SumsOf(Accumulation accumulation, const Machine& machine,
                       const Layer* layer, int64_t inputs) {
  if (accumulation == Accumulation::kF16) return {.in_half = true};
  if (accumulation == Accumulation::kF32 || layer == nullptr ||
      layer->kind != LayerKind::kConvolution ||
      layer->shape.in_channels != inputs) {
    return {};
  }
  ConvShape shape = layer->shape;
  shape.out_channels = std::min(shape.out_channels, kMostChannels);
  const absl::StatusOr<Tiling> tiling = SearchTiling(machine, shape);
  // What no engine takes is added up by SHAVEs, as one sum.
  if (!tiling.ok() || tiling->channels == 1) return {};
  return {.inputs_at_once = tiling->tile_channels};
}

}  // namespace dovetail::vpu
