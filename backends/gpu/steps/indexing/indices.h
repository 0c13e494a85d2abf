// Indices that kernels read, one or several for each place.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_INDICES_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_INDICES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// Whether input `input` is a constant with an index outside of [0, extent), or
// of [-extent, extent).
bool HasWrongIndices(const Node& node, int input, int64_t extent,
                     bool from_end);
// The same for tuples, the last axis, on axes first, first + 1, … of `shape`.
bool HasWrongTuples(const Node& node, int input, const Shape& shape, int first);

// Adds a function `tuple_place(tuple, …)`, which gives the number of the
// element that a tuple names, counted in what lies behind the tuple's axes;
// -1: there is none, which is reported: the writer has Faults. Gives a call of it for the expression `tuple`, a pointer
// into indices of that type, with the arguments that the launch needs.
std::string TuplePlace(Launch& launch, absl::string_view type,
                       const Shape& shape, int first, int size,
                       absl::string_view tuple);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_INDICES_H_
