// Work over the middle axis of dense arrays {outer, length, inner}, cut into
// groups of columns.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_COLUMNS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_COLUMNS_H_

#include <algorithm>
#include <cstdint>

namespace dovetail::host {

// Columns of one unit of work: some cache lines.
inline constexpr int64_t kColumnGroup = 128;

// How many units there are.
inline int64_t ColumnUnits(int64_t outer, int64_t inner) {
  return outer * ((inner + kColumnGroup - 1) / kColumnGroup);
}

// One unit: `width` <= kColumnGroup columns, whose first number is `offset`
// numbers behind the array's first.
struct ColumnUnit {
  ColumnUnit(int64_t unit, int64_t length, int64_t inner) {
    const int64_t groups = ColumnUnits(1, inner);
    outer = unit / groups;
    column = unit % groups * kColumnGroup;
    width = std::min(kColumnGroup, inner - column);
    offset = outer * length * inner + column;
  }
  int64_t outer, column, width, offset;
};

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_COLUMNS_H_
