// Products of matrices of f32 in blocks, for what is multiplied by constants.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_PRODUCT_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_PRODUCT_H_

#include <cstdint>

namespace dovetail::host {

// Rows that are multiplied at once, and columns of a panel.
inline constexpr int64_t kRowBlock = 12;
inline constexpr int64_t kPanelColumns = 32;

// Numbers of packed rows: blocks of kRowBlock rows, in each of which the
// numbers of one column lie one behind the other; missing rows are zeros.
int64_t PackedRowsSize(int64_t rows, int64_t inner);
// `rows` is row-major, {count, inner}.
void PackRows(const float* rows, int64_t count, int64_t inner, float* packed);

// One block of packed rows times a panel {inner, kPanelColumns}, into `sums`
// {kRowBlock, kPanelColumns}; both of them aligned to 64 bytes. Each sum begins
// with 0, or where `adds` with what is there, and takes one product after the
// other by a fused multiply-add, so that all processors that have it give the
// same bits, in however many calls.
void MultiplyPanel(const float* packed, const float* panel, int64_t inner,
                   bool adds, float* sums);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_PRODUCT_H_
