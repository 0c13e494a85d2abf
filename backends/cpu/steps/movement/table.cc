#include "dovetail/backends/cpu/steps/movement/table.h"

#include "dovetail/backends/cpu/steps/movement/boxes.h"
#include "dovetail/backends/cpu/steps/movement/concat.h"
#include "dovetail/backends/cpu/steps/movement/slices.h"
#include "dovetail/backends/cpu/steps/movement/transposes.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> MovementEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Broadcast", &EmitBroadcast},
      {"Concat", &EmitConcat},
      {"DepthToSpace", &EmitDepthToSpace},
      {"Gather", &EmitGatherOfOne},
      {"Pad", &EmitPad},
      {"Roll", &EmitRoll},
      {"ShuffleChannels", &EmitShuffleChannels},
      {"Slice", &EmitSlice},
      {"SpaceToDepth", &EmitSpaceToDepth},
      {"Split", &EmitSplit},
      {"StridedSlice", &EmitStridedSlice},
      {"Tile", &EmitTile},
      {"Transpose", &EmitTranspose},
      {"VariadicSplit", &EmitSplit},
  };
  return kRows;
}

}  // namespace dovetail::cpu
