// SparseFillEmptyRows.
#ifndef DOVETAIL_CORE_OPS_EMBEDDING_SPARSE_FILL_EMPTY_ROWS_H_
#define DOVETAIL_CORE_OPS_EMBEDDING_SPARSE_FILL_EMPTY_ROWS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// A sparse matrix: values [M], dense_shape [2], indices [M, 2] (row, column),
// and default_value, a scalar
// -> indices [K, 2] and values [K] with the default value in column 0 of rows
// that had none, row by row; and which rows these are, boolean [rows].
absl::Status InferSparseFillEmptyRows(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_EMBEDDING_SPARSE_FILL_EMPTY_ROWS_H_
