// Scatters whose indices are known before: updates of neighbours are one run,
// what is written over nowhere read, and each byte of the output written once.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_RUNS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_RUNS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/backends/common/kernels/indexing/scatter.h"

namespace dovetail::host {

// In bytes.
struct ScatterRun {
  int64_t to;
  int64_t from;
  int64_t length;
};

// The same for each of a batch; in the order of the output, of which no two
// have a place in common.
struct ScatterRuns {
  int64_t batch = 1;
  int64_t data_bytes;    // of one of the batch
  int64_t update_bytes;  // of one of the batch
  std::vector<ScatterRun> runs;
};

// Behind the others; where it goes on from the last one, that becomes longer.
void AppendScatterRun(const ScatterRun& run, std::vector<ScatterRun>& runs);

// Puts them in the order of the output; false when two overlap.
bool SortScatterRuns(std::vector<ScatterRun>& runs);

// Nothing where an index lies outside, two lead to the same place, or there
// would be more than `limit` runs.
std::optional<ScatterRuns> FindScatterRuns(const ScatterShape& shape,
                                           Indices indices, int64_t limit);

// Bytes [begin, end) of the output, which begin and end with an element; `out`
// may be `data`.
void ScatterByRuns(const ScatterRuns& runs, const ScatterUpdate& update,
                   const void* data, const void* updates, void* out,
                   int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_RUNS_H_
