// The work of an engine on a tile of a layer.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_WORK_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_WORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling/tiling.h"
#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// Output channels of a convolution or pooling, as many as an engine takes.
struct EngineShape {
  int layer = 0;
  ConvShape shape;
  std::string name;
  std::vector<int> inputs;  // prepared, of all tiles
  int whole = kNone;        // the buffer of the layer's output
};

// Multiply-adds of so many input channels.
int64_t Macs(const ConvShape& tile, int64_t in_channels);

// What tells tile `i`, from 0, of several apart, as "@soc=1/4"; "" of one.
std::string TileSuffix(absl::string_view axis, int64_t i, int64_t count);

// A tile of one part of the plane, called `name`; without multiply-adds and
// output.
Work EngineWork(const EngineShape& engine, const Tiling& tiling,
                const ConvShape& tile, std::string name,
                const std::vector<int>& inputs, const GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_WORK_H_
