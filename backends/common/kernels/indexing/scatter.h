// ScatterUpdate, ScatterNDUpdate and ScatterElementsUpdate: runs of bytes go to
// where indices say. The output holds the data before. Of updates for the same
// place the last one wins, so a loop's parts are parts of the output, and each
// looks at all indices. An index that lies outside leads nowhere and is
// counted.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "dovetail/backends/common/kernels/indexing/gather.h"
#include "dovetail/backends/common/kernels/indexing/scatter_update.h"

namespace dovetail::host {

// Output {batch, dims[0] ... dims[tuple - 1], run}, indices {count, tuple},
// which are the same for all of a batch, updates {batch, count, run}.
struct ScatterShape {
  int64_t batch = 1;
  int64_t count;
  int tuple = 1;  // up to 8
  std::array<int64_t, 8> dims;
  int64_t run_bytes;
  bool from_end = true;  // whether negative indices count from the end

  // Runs of one of the batch.
  int64_t Rows() const {
    int64_t rows = 1;
    for (int i = 0; i < tuple; ++i) rows *= dims[i];
    return rows;
  }
  // The run that tuple `i` leads to, or -1.
  int64_t RowOf(Indices indices, int64_t i) const {
    int64_t row = 0;
    for (int k = 0; k < tuple; ++k) {
      int64_t index = indices[i * tuple + k];
      if (index < 0 && from_end) index += dims[k];
      if (index < 0 || index >= dims[k]) return -1;
      row = row * dims[k] + index;
    }
    return row;
  }
};

// Updates runs [begin, end) of the batch * Rows() runs of the output. Returns
// how many tuples lie outside; looks at all of them unless begin == end.
int64_t Scatter(const ScatterShape& shape, const ScatterUpdate& update,
                const void* updates, Indices indices, void* out, int64_t begin,
                int64_t end);

// Output {.., extent, inner}, indices and updates {outer, count, columns}: each
// element has an index of its own along the middle axis. Where the indices have
// fewer elements on other axes than the output, `rows` and `inner_offsets` say
// where they lie; empty: one after the other.
struct ScatterElementsShape {
  int64_t outer;
  int64_t extent;
  int64_t inner;
  int64_t count;
  int64_t columns;
  std::vector<int64_t> rows;           // of the output, for each of outer
  std::vector<int64_t> inner_offsets;  // for each of columns
  int element_size;
};

// Updates lines [begin, end) along the axis, of outer * columns. Returns how
// many of their indices lie outside.
int64_t ScatterElements(const ScatterElementsShape& shape,
                        const ScatterUpdate& update, const void* updates,
                        Indices indices, void* out, int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_H_
