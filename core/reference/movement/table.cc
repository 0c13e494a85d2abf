#include "dovetail/core/reference/movement/table.h"

#include "dovetail/core/reference/common/whole_bytes.h"
#include "dovetail/core/reference/movement/joining/concat.h"
#include "dovetail/core/reference/movement/joining/split.h"
#include "dovetail/core/reference/movement/layout/blocks.h"
#include "dovetail/core/reference/movement/layout/reverse.h"
#include "dovetail/core/reference/movement/layout/roll.h"
#include "dovetail/core/reference/movement/reshaping/reshape.h"
#include "dovetail/core/reference/movement/reshaping/transpose.h"
#include "dovetail/core/reference/movement/slicing/pad.h"
#include "dovetail/core/reference/movement/slicing/slice.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"BatchToSpace", 1, &OnWholeBytes<&BatchToSpaceKernel>},
    {"Concat", 0, &OnWholeBytes<&ConcatKernel>},
    {"DepthToSpace", 0, &OnWholeBytes<&DepthToSpaceKernel>},
    {"Pad", 1, &PadKernel},
    {"Pad", 12, &PadKernel},
    {"Reshape", 1, &ReshapeKernel},
    {"Reverse", 1, &OnWholeBytes<&ReverseKernel>},
    {"ReverseSequence", 0, &OnWholeBytes<&ReverseSequenceKernel>},
    {"Roll", 7, &OnWholeBytes<&RollKernel>},
    {"ShuffleChannels", 0, &OnWholeBytes<&ShuffleChannelsKernel>},
    {"Slice", 8, &OnWholeBytes<&SliceKernel>},
    {"SliceScatter", 15, &OnWholeBytes<&SliceScatterKernel>},
    {"SpaceToBatch", 1, &OnWholeBytes<&SpaceToBatchKernel>},
    {"SpaceToDepth", 0, &OnWholeBytes<&SpaceToDepthKernel>},
    {"Split", 1, &OnWholeBytes<&SplitKernel>},
    {"Squeeze", 0, &SqueezeKernel},
    {"Squeeze", 15, &SqueezeKernel},
    {"StridedSlice", 1, &OnWholeBytes<&StridedSliceKernel>},
    {"Transpose", 1, &OnWholeBytes<&TransposeKernel>},
    {"Unsqueeze", 0, &ReshapeKernel},
    {"VariadicSplit", 1, &OnWholeBytes<&SplitKernel>},
};

}  // namespace

absl::Span<const KernelRow> MovementKernels() { return kKernels; }

}  // namespace dovetail
