// Where the elements of an elementwise program's inputs and outputs lie.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_GEOMETRY_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_GEOMETRY_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

namespace dovetail::cpu {

// Distances in elements from one index of a dimension to the next, 0 where
// the operand is the same for all of them; one for each dimension.
using ElementwiseStrides = std::vector<int64_t>;

// The most dimensions of an operand after merging.
inline constexpr int kMaxWalkDims = 8;

// The order in which the elements of one operand come.
struct OperandWalk {
  enum class Kind {
    kDense,   // element i of the sweep is element i in memory
    kScalar,  // one element for all
    kRows,    // by dims and strides
  };

  Kind kind;
  // Merged dimensions, outermost first, without those of extent 1.
  absl::InlinedVector<int64_t, kMaxWalkDims> dims;
  absl::InlinedVector<int64_t, kMaxWalkDims> strides;
};

// How a program sweeps over elements: in the order of the output's memory, cut
// into tiles of equal size, the last one shorter. A plain value.
struct ElementwiseGeometry {
  int64_t element_count = 0;
  int64_t tile_size = 0;
  int64_t tile_count = 0;  // independent units of work
  std::vector<OperandWalk> inputs;
  std::vector<OperandWalk> outputs;
};

// Geometry for any layout.
//   dims: extents in the order of the output's memory, outermost first. A
//     tensor of channels blocked by 8 has the dims {N, C / 8, H, W, 8}.
//   inputs: strides of each input, as many as dims.
//   outputs: strides of each output; none at all: all of them are dense.
// kInvalidArgument: the numbers of strides do not fit the program or the dims;
// a negative extent; a number of elements that does not fit. kUnimplemented: an
// operand of more than kMaxWalkDims dimensions that do not merge.
absl::StatusOr<ElementwiseGeometry> MakeGeometry(
    const ElementwiseProgram& program, absl::Span<const int64_t> dims,
    absl::Span<const ElementwiseStrides> inputs,
    absl::Span<const ElementwiseStrides> outputs = {});

// Strides of a dense tensor of shape `shape` that is broadcast to `dims` by
// NumPy's rules: aligned at the last dimension, extents of 1 are repeated. The
// same rules give those of a constant per channel in a blocked layout, from the
// shape {C / 8, 1, 1, 8}. kInvalidArgument when it does not broadcast so.
absl::StatusOr<ElementwiseStrides> BroadcastStrides(
    absl::Span<const int64_t> shape, absl::Span<const int64_t> dims);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_GEOMETRY_H_
