#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kStep = kTileStep;

// Longer tiles leave the L1 cache, shorter ones spend their time
// between instructions.
constexpr int64_t kLongestTile = 1024;

// Leaves out dimensions of extent 1 and merges those that are one in memory.
OperandWalk WalkOf(absl::Span<const int64_t> dims,
                   absl::Span<const int64_t> strides) {
  OperandWalk walk;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!walk.dims.empty() && walk.strides.back() == dims[i] * strides[i]) {
      walk.dims.back() *= dims[i];
      walk.strides.back() = strides[i];
      continue;
    }
    walk.dims.push_back(dims[i]);
    walk.strides.push_back(strides[i]);
  }
  const auto is_one_run_by = [&walk](int64_t stride) {
    return walk.dims.size() == 1 && walk.strides[0] == stride;
  };
  walk.kind = walk.dims.empty() || is_one_run_by(0) ? OperandWalk::Kind::kScalar
              : is_one_run_by(1)                    ? OperandWalk::Kind::kDense
                                                    : OperandWalk::Kind::kRows;
  return walk;
}

absl::StatusOr<int64_t> CountElements(absl::Span<const int64_t> dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) return InvalidArgument("a dimension of ", dim, " elements");
    const std::optional<int64_t> product = CheckedMultiply(count, dim);
    if (!product) return InvalidArgument("more elements than can be counted");
    count = *product;
  }
  return count;
}

// A tile of whole rows, where those of the operands are short, so that what is
// the same in each row is the same in each tile.
int64_t TileSize(const ElementwiseProgram& program,
                 const ElementwiseGeometry& geometry) {
  const int64_t registers = std::max(program.register_count(), 1);
  const int64_t longest =
      std::min(kLongestTile, kScratchFloats / registers / kStep * kStep);
  int64_t unit = kStep;
  for (const OperandWalk& walk : geometry.inputs) {
    if (walk.kind != OperandWalk::Kind::kRows) continue;
    if (walk.dims.back() > longest) continue;
    const int64_t multiple = std::lcm(unit, walk.dims.back());
    if (multiple <= longest) unit = multiple;
  }
  const int64_t tile = longest / unit * unit;
  const int64_t all = CeilDivide(geometry.element_count, kStep) * kStep;
  return std::max(kStep, std::min(tile, all));
}

absl::Status AddWalks(absl::Span<const int64_t> dims,
                      absl::Span<const ElementwiseStrides> strides,
                      size_t wanted, absl::string_view what,
                      std::vector<OperandWalk>& walks) {
  if (strides.size() != wanted) {
    return InvalidArgument("strides of ", strides.size(), " ", what,
                           ", but the program has ", wanted);
  }
  for (const ElementwiseStrides& operand : strides) {
    if (operand.size() != dims.size()) {
      return InvalidArgument(operand.size(), " strides for ", dims.size(),
                             " dimensions");
    }
    walks.push_back(WalkOf(dims, operand));
    if (walks.back().dims.size() > kMaxWalkDims) {
      return Unimplemented(
          "an elementwise operand of ", walks.back().dims.size(),
          " dimensions that do not merge; the most are ", kMaxWalkDims);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ElementwiseGeometry> MakeGeometry(
    const ElementwiseProgram& program, absl::Span<const int64_t> dims,
    absl::Span<const ElementwiseStrides> inputs,
    absl::Span<const ElementwiseStrides> outputs) {
  ElementwiseGeometry geometry;
  DOVETAIL_ASSIGN_OR_RETURN(geometry.element_count, CountElements(dims));
  DOVETAIL_RETURN_IF_ERROR(AddWalks(dims, inputs, program.inputs().size(),
                                    "inputs", geometry.inputs));
  if (outputs.empty()) {
    OperandWalk dense;
    dense.kind = OperandWalk::Kind::kDense;
    geometry.outputs.assign(program.outputs().size(), dense);
  } else {
    DOVETAIL_RETURN_IF_ERROR(AddWalks(dims, outputs, program.outputs().size(),
                                      "outputs", geometry.outputs));
    for (OperandWalk& walk : geometry.outputs) {
      // A single element.
      if (walk.dims.empty()) walk.kind = OperandWalk::Kind::kDense;
    }
  }
  geometry.tile_size = TileSize(program, geometry);
  geometry.tile_count = CeilDivide(geometry.element_count, geometry.tile_size);
  return geometry;
}

absl::StatusOr<ElementwiseStrides> BroadcastStrides(
    absl::Span<const int64_t> shape, absl::Span<const int64_t> dims) {
  if (shape.size() > dims.size()) {
    return InvalidArgument("a tensor of ", shape.size(),
                           " dimensions does not broadcast to ", dims.size());
  }
  ElementwiseStrides strides(dims.size(), 0);
  int64_t stride = 1;
  for (size_t i = 1; i <= shape.size(); ++i) {
    const int64_t extent = shape[shape.size() - i];
    const int64_t wanted = dims[dims.size() - i];
    if (extent != wanted && extent != 1) {
      return InvalidArgument("extent ", extent, " does not broadcast to ",
                             wanted);
    }
    if (extent != 1) strides[dims.size() - i] = stride;
    stride *= extent;
  }
  return strides;
}

}  // namespace dovetail::cpu
