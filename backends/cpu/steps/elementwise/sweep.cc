#include "dovetail/backends/cpu/steps/elementwise/sweep.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

Shape WithRank(const Shape& shape, int rank) {
  Shape result = Shape::Filled(rank - shape.rank(), 1);
  for (const int64_t extent : shape) result.push_back(extent);
  return result;
}

bool IsOneInSpace(const Shape& shape) {
  return shape.Count(2, shape.rank()) == 1;
}

// How an input can be read for a layout other than planar.
enum class Way {
  kStored,   // in the same layout
  kPlanar,   // as it is, elements of it lie in the same order
  kStrided,  // planar, in strides
  kPacked,   // a constant, put in that layout
  kNone,
};

Way WayOf(const PlanBuilder&, const Shape& whole, Layout layout,
          const SweepInput& input) {
  const Shape shape = WithRank(input.shape, whole.rank());
  const int64_t block = ChannelBlock(layout);
  if (shape.Count() == 1 || shape[1] == 1) return Way::kPlanar;
  if (IsOneInSpace(shape) && shape[1] % block == 0) return Way::kPlanar;
  if (PlanBuilder::IsConstant(input.value)) return Way::kPacked;
  const Shape own = PlanBuilder::ShapeOf(input.value);
  if (own == shape && OneDnnType(input.value.type())) return Way::kStored;
  return layout == Layout::kChannelsLast ? Way::kStrided : Way::kNone;
}

// The constant's elements in the order of the layout, with zeros in channels
// that only fill blocks.
absl::StatusOr<Tensor> PackForSweep(const Tensor& tensor, const Shape& shape,
                                    Layout layout) {
  const Shape stored(StoredDims(shape, layout));
  DOVETAIL_ASSIGN_OR_RETURN(Tensor packed,
                            Tensor::Allocate(tensor.type(), stored));
  const int64_t size = BitWidth(tensor.type()) / 8;
  const int64_t block = ChannelBlock(layout);
  const int64_t area = shape.Count(2, shape.rank());
  const int64_t blocks = CeilDivide(shape[1], block);
  const char* from = static_cast<const char*>(tensor.raw_data());
  char* const to = static_cast<char*>(packed.mutable_raw_data());
  const bool last = layout == Layout::kChannelsLast;
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < shape[1]; ++c) {
      for (int64_t i = 0; i < area; ++i, from += size) {
        const int64_t place =
            last ? (n * area + i) * shape[1] + c
                 : ((n * blocks + c / block) * area + i) * block + c % block;
        std::memcpy(to + place * size, from, size);
      }
    }
  }
  return packed;
}

// Row-major strides of a planar tensor, in the order in which channels-last
// has its axes; 0 where it broadcasts.
ElementwiseStrides ChannelsLastStrides(const Shape& shape) {
  ElementwiseStrides planar(shape.rank());
  int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    planar[i] = shape[i] == 1 ? 0 : stride;
    stride *= shape[i];
  }
  ElementwiseStrides strides = {planar[0]};
  strides.insert(strides.end(), planar.begin() + 2, planar.end());
  strides.push_back(planar[1]);
  return strides;
}

// Whether a matrix product, or a norm along the last axis, reads rows of it.
bool AreRowsRead(const Node& node) {
  const auto reads_rows = [](const Use& use) {
    const Node& reader = *use.node;
    if (use.input != 0) return false;
    if (reader.Is("MatMul")) return true;
    if (!reader.Is("MVN") || reader.input_count() < 2) return false;
    const Tensor* const axes = PlanBuilder::ConstantOf(reader.input(1));
    if (axes == nullptr || axes->element_count() != 1) return false;
    const double axis = axes->ElementAsDouble(0);
    return axis == -1 ||
           axis == PlanBuilder::ShapeOf(reader.input(0)).rank() - 1;
  };
  const auto& uses = node.port().uses;
  return std::any_of(uses.begin(), uses.end(), reads_rows);
}

}  // namespace

std::vector<int64_t> StoredDims(const Shape& shape, Layout layout) {
  std::vector<int64_t> dims(shape.begin(), shape.end());
  if (dims.empty()) return {1};
  if (layout == Layout::kPlanar) return dims;
  const int64_t block = ChannelBlock(layout);
  const int64_t channels = dims[1];
  if (layout == Layout::kChannelsLast) {
    dims.erase(dims.begin() + 1);
    dims.push_back(channels);
    return dims;
  }
  // A single channel is one that broadcasts, not a block of them.
  dims[1] = CeilDivide(channels, block);
  dims.push_back(channels == 1 ? 1 : block);
  return dims;
}

Layout ChooseLayout(const PlanBuilder& builder, const Shape& shape,
                    absl::Span<const SweepInput> inputs,
                    absl::Span<const Node* const> outputs) {
  if (shape.rank() < 3 || shape.rank() > 5 || shape[1] == 1) {
    return Layout::kPlanar;
  }
  for (const Node* node : outputs) {
    if (!OneDnnType(node->port().type)) return Layout::kPlanar;
  }
  std::map<Layout, int> votes;
  for (const SweepInput& input : inputs) {
    if (PlanBuilder::IsConstant(input.value)) continue;
    if (PlanBuilder::ShapeOf(input.value) != shape) continue;
    ++votes[builder.FormatOf(input.value).layout];
  }
  Layout best = Layout::kPlanar;
  int most = 0;
  // Of equal votes, the one further from planar: what is in blocks came from a
  // convolution and goes to one. A transposed matrix did not, where rows are
  // read.
  for (const auto& [layout, count] : votes) {
    if (count >= most) {
      best = layout;
      most = count;
    }
  }
  const auto planar = votes.find(Layout::kPlanar);
  const bool is_tied = planar != votes.end() && planar->second == most;
  if (is_tied && shape.rank() == 3 &&
      std::any_of(outputs.begin(), outputs.end(),
                  [](const Node* node) { return AreRowsRead(*node); })) {
    return Layout::kPlanar;
  }
  return best;
}

bool CanSweep(const PlanBuilder& builder, const Shape& shape, Layout layout,
              absl::Span<const SweepInput> inputs) {
  if (layout == Layout::kPlanar) return true;
  return std::none_of(inputs.begin(), inputs.end(),
                      [&](const SweepInput& input) {
                        return WayOf(builder, shape, layout, input) ==
                               Way::kNone;
                      });
}

absl::StatusOr<SweepOperand> ReadForSweep(PlanBuilder& builder,
                                          const Shape& shape, Layout layout,
                                          const SweepInput& input) {
  SweepOperand result;
  const Tensor* const constant = PlanBuilder::ConstantOf(input.value);
  result.is_constant = constant != nullptr;
  const std::vector<int64_t> dims = StoredDims(shape, layout);
  const Shape own = WithRank(input.shape, shape.rank());
  Way way = Way::kPlanar;
  if (layout != Layout::kPlanar) way = WayOf(builder, shape, layout, input);
  Format format = builder.FormatOf(input.value);
  format.layout = Layout::kPlanar;
  if (way == Way::kStored) format.layout = layout;
  if (way == Way::kPacked) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor packed,
                              PackForSweep(*constant, own, layout));
    result.operand = builder.AddConstant(packed);
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(result.operand,
                              builder.Read(input.value, format));
  }
  if (way == Way::kStrided) {
    result.strides = ChannelsLastStrides(own);
    return result;
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      result.strides, BroadcastStrides(StoredDims(own, layout), dims));
  return result;
}

}  // namespace dovetail::cpu
