// The kernels of ShapeOf, Range, Broadcast, Tile and Eye.
#ifndef DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ShapeQueryKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SHAPE_QUERY_TABLE_H_
