#include "dovetail/core/ops/shape_query/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/core/ops/shape_query/eye.h"
#include "dovetail/core/ops/shape_query/range.h"
#include "dovetail/core/ops/shape_query/shape_of.h"
#include "dovetail/core/ops/shape_query/tile.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr Arity kOne = {1, 1};

const OpInfo kRows[] = {
    {"Broadcast", 1, "Broadcast", OpsetRange::Between(1, 2), {2, 3}, kOne,
     &MakeAttributes<BroadcastAttributes>, &InferBroadcast, kAllTypes},
    {"Broadcast", 3, "Broadcast", OpsetRange::Since(3), {2, 3}, kOne,
     &MakeAttributes<BroadcastAttributes>, &InferBroadcast, kAllTypes},
    {"Eye", 9, "Eye", OpsetRange::Since(9), {3, 4}, kOne,
     &MakeAttributes<EyeAttributes>, &InferEye,
     {kAnyNumericOrBoolean, OpTypes::kOutput}},
    {"Range", 0, "Range", OpsetRange::Between(1, 3), {3, 3}, kOne,
     &MakeAttributes<NoAttributes>, &InferRange,
     {kAnyNumeric, OpTypes::kOutput}, kDataDependentShape},
    {"Range", 4, "Range", OpsetRange::Since(4), {3, 3}, kOne,
     &MakeAttributes<RangeAttributes>, &InferRange,
     {kAnyNumeric, OpTypes::kOutput}, kDataDependentShape},
    {"ShapeOf", 0, "ShapeOf", OpsetRange::Between(1, 2), kOne, kOne,
     &MakeAttributes<NoAttributes>, &InferShapeOf, kAllTypes, kReadsOnlyShape},
    {"ShapeOf", 3, "ShapeOf", OpsetRange::Since(3), kOne, kOne,
     &MakeAttributes<ShapeOfAttributes>, &InferShapeOf, kAllTypes,
     kReadsOnlyShape},
    {"Tile", 0, "Tile", OpsetRange::Since(1), {2, 2}, kOne,
     &MakeAttributes<NoAttributes>, &InferTile, kAllTypes},
};

}  // namespace

absl::Span<const OpInfo> ShapeQueryOps() { return kRows; }

}  // namespace dovetail
