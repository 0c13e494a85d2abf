// Orders of axes, as constants of Transpose say them.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_AXES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_AXES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// Which axis of the input each axis of the output is.
using AxisOrder = std::vector<int64_t>;

// That of a Transpose, where it is a constant and the rank is known.
std::optional<AxisOrder> OrderOf(const Node& transpose);
bool IsInOrder(const AxisOrder& order);
// First one, then the other.
AxisOrder Composed(const AxisOrder& first, const AxisOrder& then);
// 0, 1, … but the last two the other way round; rank >= 2.
AxisOrder LastTwoSwapped(int rank);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_AXES_H_
