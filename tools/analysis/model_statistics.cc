#include "dovetail/tools/analysis/model_statistics.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::cli {
namespace {

// Elements of a static shape.
std::optional<int64_t> Elements(const PartialShape& partial) {
  const absl::StatusOr<Shape> shape = partial.ToShape();
  if (!shape.ok()) return std::nullopt;
  const absl::StatusOr<int64_t> count = shape->ElementCount();
  if (!count.ok()) return std::nullopt;
  return *count;
}

std::optional<int64_t> Product(std::optional<int64_t> a,
                               std::optional<int64_t> b) {
  if (!a || !b) return std::nullopt;
  return CheckedMultiply(*a, *b);
}

// Elements of the weights' shape from axis `begin` on.
std::optional<int64_t> WeightElements(const Node& node, int begin) {
  const PartialShape& shape = node.input(1).shape();
  if (!shape.rank_known() || shape.rank() < begin) return std::nullopt;
  return Elements(PartialShape(std::vector<Dimension>(
      shape.dims().begin() + begin, shape.dims().end())));
}

std::optional<int64_t> MatMulMacs(const Node& node) {
  // Per output element: one for each element along the inner extent.
  const auto out = Elements(node.port(0).shape);
  const auto* attributes = node.As<MatMulAttributes>();
  const PartialShape& a = node.input(0).shape();
  if (!out || attributes == nullptr || !a.rank_known() || a.rank() == 0) {
    return std::nullopt;
  }
  const bool transposed = a.rank() > 1 && attributes->transpose_a;
  const Dimension& inner = a[transposed ? a.rank() - 2 : a.rank() - 1];
  if (!inner.is_static()) return std::nullopt;
  return CheckedMultiply(*out, inner.value());
}

int64_t ByteSizeOf(const OutputPort& port, bool& known) {
  const auto count = Elements(port.shape);
  const absl::StatusOr<int64_t> bytes =
      count ? ByteSize(port.type, *count) : InvalidArgument("unknown");
  known = known && bytes.ok();
  return bytes.ok() ? *bytes : 0;
}

// Peak of live intermediate tensors; constants are not counted.
std::optional<int64_t> PeakBytes(const std::vector<Node*>& order) {
  std::map<const Node*, size_t> position;
  for (size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  std::vector<int64_t> freed_after(order.size(), 0);
  bool known = true;
  int64_t live = 0, peak = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const Node& node = *order[i];
    for (int p = 0; p < node.output_count() && !node.Is("Constant") &&
                    !node.Is("Result");
         ++p) {
      const OutputPort& port = node.port(p);
      const int64_t bytes = ByteSizeOf(port, known);
      size_t last = i;
      for (const Use& use : port.uses) {
        last = std::max(last, position[use.node]);
      }
      live += bytes;
      freed_after[last] += bytes;
    }
    peak = std::max(peak, live);
    live -= freed_after[i];
  }
  if (!known) return std::nullopt;
  return peak;
}

void AddConstant(const Node& node, ModelStatistics& statistics) {
  const auto* constant = node.As<ConstantAttributes>();
  if (constant == nullptr) return;
  const Tensor& value = constant->value;
  statistics.constant_bytes += value.byte_size();
  // Small integer constants are shapes and axes, not weights.
  constexpr int64_t kLeastWeights = 64;
  if (IsFloat(value.type()) || value.element_count() >= kLeastWeights) {
    statistics.parameters += value.element_count();
  }
}

}  // namespace

std::optional<int64_t> CountMacs(const Node& node) {
  // Per output element: one for each weight of its output channel.
  if (node.Is("Convolution") || node.Is("BinaryConvolution") ||
      node.Is("DeformableConvolution")) {
    const int weights = node.Is("DeformableConvolution") ? 2 : 1;
    const PartialShape& shape = node.input(weights).shape();
    if (!shape.rank_known() || shape.rank() < 2) return std::nullopt;
    return Product(Elements(node.port(0).shape),
                   Elements(PartialShape(std::vector<Dimension>(
                       shape.dims().begin() + 1, shape.dims().end()))));
  }
  if (node.Is("GroupConvolution")) {
    return Product(Elements(node.port(0).shape), WeightElements(node, 2));
  }
  // Per input element: one for each weight of its input channel.
  if (node.Is("ConvolutionBackpropData")) {
    return Product(Elements(node.input(0).shape()), WeightElements(node, 1));
  }
  if (node.Is("GroupConvolutionBackpropData")) {
    return Product(Elements(node.input(0).shape()), WeightElements(node, 2));
  }
  if (node.Is("MatMul")) return MatMulMacs(node);
  return 0;
}

absl::StatusOr<ModelStatistics> CollectStatistics(const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  ModelStatistics statistics;
  statistics.macs = 0;
  for (const Node* node : order) {
    ++statistics.operations[node->op().ToString()];
    AddConstant(*node, statistics);
    const std::optional<int64_t> macs = CountMacs(*node);
    if (!macs || !statistics.macs) {
      statistics.macs.reset();
    } else {
      statistics.macs = CheckedAdd(*statistics.macs, *macs);
    }
  }
  statistics.peak_bytes = PeakBytes(order);
  return statistics;
}

}  // namespace dovetail::cli
