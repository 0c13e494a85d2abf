#include "dovetail/backends/cpu/steps/movement/table.h"

#include "dovetail/backends/cpu/steps/movement/boxes.h"
#include "dovetail/backends/cpu/steps/movement/channels.h"
#include "dovetail/backends/cpu/steps/movement/concat.h"
#include "dovetail/backends/cpu/steps/movement/slices.h"
#include "dovetail/backends/cpu/steps/movement/transposes.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> MovementEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Broadcast", &EmitPlanarView},
      {"Concat", &EmitChannelMove},
      {"Concat", &EmitConcat},
      {"DepthToSpace", &EmitPlanarView},
      {"Gather", &EmitSlice},
      {"Pad", &EmitPad},
      {"Roll", &EmitRoll},
      {"ShuffleChannels", &EmitChannelMove},
      {"ShuffleChannels", &EmitPlanarView},
      {"Slice", &EmitChannelMove},
      {"Slice", &EmitSlice},
      {"SpaceToDepth", &EmitPlanarView},
      {"Split", &EmitChannelMove},
      {"Split", &EmitSplit},
      {"StridedSlice", &EmitChannelMove},
      {"StridedSlice", &EmitSlice},
      {"Tile", &EmitPlanarView},
      {"Transpose", &EmitTranspose},
      {"VariadicSplit", &EmitChannelMove},
      {"VariadicSplit", &EmitSplit},
  };
  return kRows;
}

}  // namespace dovetail::cpu
