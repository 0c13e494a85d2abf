// Reductions of f32 arrays.
//
// Any set of axes of a dense array is reduced in stages, each over the middle
// axis of an array {outer, length, inner}:
//
//   const std::vector<ReduceStage> stages = ReduceStages(dims, reduced);
//   for each stage i, from one memory to the other:
//     RunReduceStage(kind, i == 0, stage, in, out, 0, stage.units());
//   FinishReduce(kind, count, out, 0, number of results);
//
// Most reductions have one stage. The mean of channels blocked by 8 over their
// area, {N * C / 8, area, 8}, is a stage of that form.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_REDUCE_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_REDUCE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace dovetail::host {

enum class ReduceKind {
  kSum,
  kMean,
  kMax,
  kMin,
  kProduct,
  kL1,          // sum of |x|
  kL2,          // sqrt(sum of x^2)
  kSumSquares,  // sum of x^2
};

struct ReduceStage {
  int64_t outer;
  int64_t length;  // that is reduced
  int64_t inner;

  int64_t in_count() const { return outer * length * inner; }
  int64_t out_count() const { return outer * inner; }
  // Independent units of work.
  int64_t units() const;
};

// Stages for an array of extents `dims`, where reduced[i] says whether axis i
// goes; at least one, of length 1 if no axis goes. An extent may be 0.
std::vector<ReduceStage> ReduceStages(absl::Span<const int64_t> dims,
                                      absl::Span<const bool> reduced);

// The same stages, but those with many numbers and too few units for several
// threads in two: parts of the length, each of `least` numbers or more, and
// then what is left. Extents alone decide, so that results do not depend on
// the number of threads.
std::vector<ReduceStage> DivideLongStages(
    const std::vector<ReduceStage>& stages, int64_t least);

// Units [begin, end) of a stage; `first` says whether it is the first one, that
// reads the numbers themselves. Not in place. A stage of length 0 gives what
// changes nothing: 0, 1 or an infinity.
void RunReduceStage(ReduceKind kind, bool first, const ReduceStage& stage,
                    const float* in, float* out, int64_t begin, int64_t end);

// Whether there is anything for FinishReduce to do.
bool NeedsFinish(ReduceKind kind);

// Turns results [begin, end) of the last stage into those of the reduction;
// `count` numbers went into each.
void FinishReduce(ReduceKind kind, int64_t count, float* data, int64_t begin,
                  int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_REDUCTION_REDUCE_H_
