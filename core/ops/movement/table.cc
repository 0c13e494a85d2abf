#include "dovetail/core/ops/movement/table.h"

#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/movement/joining/split.h"
#include "dovetail/core/ops/movement/layout/batch_space.h"
#include "dovetail/core/ops/movement/layout/depth_space.h"
#include "dovetail/core/ops/movement/layout/reverse.h"
#include "dovetail/core/ops/movement/layout/reverse_sequence.h"
#include "dovetail/core/ops/movement/layout/roll.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/ops/movement/reshaping/reshape.h"
#include "dovetail/core/ops/movement/reshaping/squeeze.h"
#include "dovetail/core/ops/movement/reshaping/transpose.h"
#include "dovetail/core/ops/movement/reshaping/unsqueeze.h"
#include "dovetail/core/ops/movement/slicing/pad.h"
#include "dovetail/core/ops/movement/slicing/slice.h"
#include "dovetail/core/ops/movement/slicing/slice_scatter.h"
#include "dovetail/core/ops/movement/slicing/strided_slice.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpsetRange kAll = OpsetRange::Since(1);
constexpr Arity kOne = {1, 1};
constexpr Arity kTwo = {2, 2};
constexpr Arity kMany = {1, Arity::kAny};

const OpInfo kRows[] = {
    {"BatchToSpace", 1, "BatchToSpace", OpsetRange::Since(2), {4, 4}, kOne,
     &MakeAttributes<NoAttributes>, &InferBatchToSpace},
    {"Concat", 0, "Concat", kAll, kMany, kOne,
     &MakeAttributes<ConcatAttributes>, &InferConcat},
    {"DepthToSpace", 0, "DepthToSpace", kAll, kOne, kOne,
     &MakeAttributes<DepthSpaceAttributes>, &InferDepthToSpace},
    {"Pad", 1, "Pad", OpsetRange::Between(1, 11), {3, 4}, kOne,
     &MakeAttributes<PadAttributes>, &InferPad},
    {"Pad", 12, "Pad", OpsetRange::Since(12), {3, 4}, kOne,
     &MakeAttributes<PadAttributes>, &InferPad},
    {"Reshape", 1, "Reshape", kAll, kTwo, kOne,
     &MakeAttributes<ReshapeAttributes>, &InferReshape},
    {"Reverse", 1, "Reverse", OpsetRange::Between(1, 1), kTwo, kOne,
     &MakeAttributes<ReverseAttributes>, &InferReverse},
    {"ReverseSequence", 0, "ReverseSequence", kAll, kTwo, kOne,
     &MakeAttributes<ReverseSequenceAttributes>, &InferReverseSequence},
    {"Roll", 7, "Roll", OpsetRange::Since(7), {3, 3}, kOne,
     &MakeAttributes<NoAttributes>, &InferRoll},
    {"ShuffleChannels", 0, "ShuffleChannels",
     OpsetRange::Between(1, 1) | OpsetRange::Since(3), kOne, kOne,
     &MakeAttributes<ShuffleChannelsAttributes>, &InferShuffleChannels},
    {"Slice", 8, "Slice", OpsetRange::Since(8), {4, 5}, kOne,
     &MakeAttributes<NoAttributes>, &InferSlice},
    {"SliceScatter", 15, "SliceScatter", OpsetRange::Since(15), {5, 6}, kOne,
     &MakeAttributes<NoAttributes>, &InferSliceScatter},
    {"SpaceToBatch", 1, "SpaceToBatch", OpsetRange::Since(2), {4, 4}, kOne,
     &MakeAttributes<NoAttributes>, &InferSpaceToBatch},
    {"SpaceToDepth", 0, "SpaceToDepth", kAll, kOne, kOne,
     &MakeAttributes<DepthSpaceAttributes>, &InferSpaceToDepth},
    {"Split", 1, "Split", kAll, kTwo, kMany, &MakeAttributes<SplitAttributes>,
     &InferSplit},
    {"Squeeze", 0, "Squeeze", OpsetRange::Between(1, 14), {1, 2}, kOne,
     &MakeAttributes<NoAttributes>, &InferSqueeze},
    {"Squeeze", 15, "Squeeze", OpsetRange::Since(15), {1, 2}, kOne,
     &MakeAttributes<SqueezeAttributes>, &InferSqueeze},
    {"StridedSlice", 1, "StridedSlice", kAll, {3, 4}, kOne,
     &MakeAttributes<StridedSliceAttributes>, &InferStridedSlice},
    {"Transpose", 1, "Transpose", kAll, kTwo, kOne,
     &MakeAttributes<NoAttributes>, &InferTranspose},
    {"Unsqueeze", 0, "Unsqueeze", kAll, kTwo, kOne,
     &MakeAttributes<NoAttributes>, &InferUnsqueeze},
    {"VariadicSplit", 1, "VariadicSplit", kAll, {3, 3}, kMany,
     &MakeAttributes<NoAttributes>, &InferVariadicSplit},
};

}  // namespace

absl::Span<const OpInfo> MovementOps() { return kRows; }

}  // namespace dovetail
