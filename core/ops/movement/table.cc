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
     &MakeAttributes<NoAttributes>, &InferBatchToSpace, kAllTypes},
    {"Concat", 0, "Concat", kAll, kMany, kOne,
     &MakeAttributes<ConcatAttributes>, &InferConcat, kAllTypes},
    {"DepthToSpace", 0, "DepthToSpace", kAll, kOne, kOne,
     &MakeAttributes<DepthSpaceAttributes>, &InferDepthToSpace, kAllTypes},
    {"Pad", 1, "Pad", OpsetRange::Between(1, 11), {3, 4}, kOne,
     &MakeAttributes<PadAttributes>, &InferPad, kAllTypes},
    {"Pad", 12, "Pad", OpsetRange::Since(12), {3, 4}, kOne,
     &MakeAttributes<PadAttributes>, &InferPad, kAllTypes},
    {"Reshape", 1, "Reshape", kAll, kTwo, kOne,
     &MakeAttributes<ReshapeAttributes>, &InferReshape, kAllTypes},
    {"Reverse", 1, "Reverse", OpsetRange::Between(1, 1), kTwo, kOne,
     &MakeAttributes<ReverseAttributes>, &InferReverse, kAllTypes},
    {"ReverseSequence", 0, "ReverseSequence", kAll, kTwo, kOne,
     &MakeAttributes<ReverseSequenceAttributes>, &InferReverseSequence,
     kAllTypes},
    {"Roll", 7, "Roll", OpsetRange::Since(7), {3, 3}, kOne,
     &MakeAttributes<NoAttributes>, &InferRoll, kAllTypes},
    {"ShuffleChannels", 0, "ShuffleChannels",
     OpsetRange::Between(1, 1) | OpsetRange::Since(3), kOne, kOne,
     &MakeAttributes<ShuffleChannelsAttributes>, &InferShuffleChannels,
     kAllTypes},
    {"Slice", 8, "Slice", OpsetRange::Since(8), {4, 5}, kOne,
     &MakeAttributes<NoAttributes>, &InferSlice, kAllTypes},
    {"SliceScatter", 15, "SliceScatter", OpsetRange::Since(15), {5, 6}, kOne,
     &MakeAttributes<NoAttributes>, &InferSliceScatter, kAllTypes},
    {"SpaceToBatch", 1, "SpaceToBatch", OpsetRange::Since(2), {4, 4}, kOne,
     &MakeAttributes<NoAttributes>, &InferSpaceToBatch, kAllTypes},
    {"SpaceToDepth", 0, "SpaceToDepth", kAll, kOne, kOne,
     &MakeAttributes<DepthSpaceAttributes>, &InferSpaceToDepth, kAllTypes},
    {"Split", 1, "Split", kAll, kTwo, kMany, &MakeAttributes<SplitAttributes>,
     &InferSplit, kAllTypes},
    {"Squeeze", 0, "Squeeze", OpsetRange::Between(1, 14), {1, 2}, kOne,
     &MakeAttributes<NoAttributes>, &InferSqueeze, kAllTypes},
    {"Squeeze", 15, "Squeeze", OpsetRange::Since(15), {1, 2}, kOne,
     &MakeAttributes<SqueezeAttributes>, &InferSqueeze, kAllTypes},
    {"StridedSlice", 1, "StridedSlice", kAll, {3, 4}, kOne,
     &MakeAttributes<StridedSliceAttributes>, &InferStridedSlice, kAllTypes},
    {"Transpose", 1, "Transpose", kAll, kTwo, kOne,
     &MakeAttributes<NoAttributes>, &InferTranspose, kAllTypes},
    {"Unsqueeze", 0, "Unsqueeze", kAll, kTwo, kOne,
     &MakeAttributes<NoAttributes>, &InferUnsqueeze, kAllTypes},
    {"VariadicSplit", 1, "VariadicSplit", kAll, {3, 3}, kMany,
     &MakeAttributes<NoAttributes>, &InferVariadicSplit, kAllTypes},
};

}  // namespace

absl::Span<const OpInfo> MovementOps() { return kRows; }

}  // namespace dovetail
