#include "dovetail/core/reference/shape_query/table.h"

#include "dovetail/core/reference/common/whole_bytes.h"
#include "dovetail/core/reference/shape_query/shape_query.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Broadcast", 1, &OnWholeBytes<&BroadcastKernel>},
    {"Broadcast", 3, &OnWholeBytes<&BroadcastKernel>},
    {"Eye", 9, &EyeKernel},
    {"Range", 0, &RangeKernel},
    {"Range", 4, &RangeKernel},
    {"ShapeOf", 0, &ShapeOfKernel},
    {"ShapeOf", 3, &ShapeOfKernel},
    {"Tile", 0, &OnWholeBytes<&TileKernel>},
};

}  // namespace

absl::Span<const KernelRow> ShapeQueryKernels() { return kKernels; }

}  // namespace dovetail
