#include "dovetail/backends/gpu/steps/movement/table.h"

#include "dovetail/backends/gpu/steps/movement/concat.h"
#include "dovetail/backends/gpu/steps/movement/pad.h"
#include "dovetail/backends/gpu/steps/movement/reverse_sequence.h"
#include "dovetail/backends/gpu/steps/movement/views.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> MovementEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Broadcast", &EmitMovedView},
      {"Concat", &EmitConcat},
      {"DepthToSpace", &EmitMovedView},
      {"Gather", &EmitMovedView},
      {"Pad", &EmitPad},
      {"Reverse", &EmitMovedView},
      {"ReverseSequence", &EmitReverseSequence},
      {"Roll", &EmitRoll},
      {"ShuffleChannels", &EmitMovedView},
      {"Slice", &EmitMovedView},
      {"SliceScatter", &EmitSliceScatter},
      {"SpaceToDepth", &EmitMovedView},
      {"Split", &EmitSplit},
      {"StridedSlice", &EmitMovedView},
      {"Tile", &EmitMovedView},
      {"Transpose", &EmitMovedView},
      {"VariadicSplit", &EmitSplit},
  };
  return kRows;
}

}  // namespace dovetail::gpu
