#include "dovetail/backends/common/kernels/indexing/scatter.h"

#include <algorithm>

namespace dovetail::host {
namespace {

// Columns [first, last) of the lines that begin at `outer`.
template <typename UpdateFn>
int64_t ScatterColumns(const ScatterElementsShape& shape, UpdateFn update,
                       const char* updates, Indices indices, char* out,
                       int64_t outer, int64_t first, int64_t last) {
  const int64_t bytes = shape.element_size;
  const int64_t row = shape.rows.empty() ? outer : shape.rows[outer];
  const bool is_dense = shape.inner_offsets.empty();
  int64_t outside = 0;
  for (int64_t k = 0; k < shape.count; ++k) {
    const int64_t from = (outer * shape.count + k) * shape.columns;
    for (int64_t column = first; column < last; ++column) {
      int64_t index = indices[from + column];
      if (index < 0) index += shape.extent;
      if (index < 0 || index >= shape.extent) {
        ++outside;
        continue;
      }
      const int64_t inner = is_dense ? column : shape.inner_offsets[column];
      const int64_t to = (row * shape.extent + index) * shape.inner + inner;
      update(out + to * bytes, updates + (from + column) * bytes, bytes);
    }
  }
  return outside;
}

}  // namespace

int64_t Scatter(const ScatterShape& shape, const ScatterUpdate& update,
                const void* updates, Indices indices, void* out, int64_t begin,
                int64_t end) {
  const int64_t rows = shape.Rows(), bytes = shape.run_bytes;
  if (begin >= end) return 0;
  return WithUpdate(update, bytes, [&](auto apply) {
    int64_t outside = 0;
    for (int64_t b = begin / rows; b <= (end - 1) / rows; ++b) {
      char* const to = static_cast<char*>(out) + b * rows * bytes;
      const char* const from =
          static_cast<const char*>(updates) + b * shape.count * bytes;
      const int64_t first = std::max<int64_t>(begin - b * rows, 0);
      const int64_t last = std::min(end - b * rows, rows);
      for (int64_t i = 0; i < shape.count; ++i) {
        const int64_t row = shape.RowOf(indices, i);
        outside += row < 0;
        if (row < first || row >= last) continue;
        apply(to + row * bytes, from + i * bytes, bytes);
      }
    }
    return outside;
  });
}

int64_t ScatterElements(const ScatterElementsShape& shape,
                        const ScatterUpdate& update, const void* updates,
                        Indices indices, void* out, int64_t begin,
                        int64_t end) {
  return WithUpdate(update, shape.element_size, [&](auto apply) {
    int64_t outside = 0;
    while (begin < end) {
      const int64_t outer = begin / shape.columns;
      const int64_t first = begin % shape.columns;
      const int64_t last = std::min(shape.columns, first + end - begin);
      outside +=
          ScatterColumns(shape, apply, static_cast<const char*>(updates),
                         indices, static_cast<char*>(out), outer, first, last);
      begin += last - first;
    }
    return outside;
  });
}

}  // namespace dovetail::host
