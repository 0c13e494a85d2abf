#include "dovetail/backends/gpu/compiler/bounded_suppression.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail::gpu {
namespace {

// Scores and rows, of some 12 and 36 bytes: less than devices have.
constexpr int64_t kMaxScores = int64_t{1} << 24;
constexpr int64_t kMaxRows = int64_t{1} << 22;

absl::Status InferBounded(InferContext& context) {
  const auto& attributes = context.attributes<NonMaxSuppressionAttributes>();
  DOVETAIL_RETURN_IF_ERROR(InferSelection(
      context, /*numbers=*/4, attributes.output_type, /*with_scores=*/true));
  const PartialShape rows = {context.outputs()[0].shape[0].max(), 3};
  context.outputs()[0].shape = rows;
  context.outputs()[1].shape = rows;
  return absl::OkStatus();
}

const OpInfo& BoundedSuppression() {
  static constexpr ExtensionOp kOfDevice = {"gpu", ""};
  static constexpr OpInfo kRow = {"NonMaxSuppression",
                                  0,
                                  "NonMaxSuppression",
                                  OpsetRange::None(),
                                  {2, 6},
                                  {3, 3},
                                  &MakeAttributes<NonMaxSuppressionAttributes>,
                                  &InferBounded,
                                  kAnyFloat,
                                  kNoTraits,
                                  "gpu",
                                  &kOfDevice};
  return kRow;
}

bool IsStatic(Value input) {
  return input && input.shape().is_static() &&
         input.type() != ElementType::kDynamic;
}

bool IsIndex(ElementType type) {
  return type == ElementType::kI32 || type == ElementType::kI64;
}

// Whether the kernel takes it.
bool CanBeBounded(const Node& node) {
  if (!node.Is("NonMaxSuppression") || !node.has_uses() ||
      !std::all_of(node.inputs().begin(), node.inputs().end(), &IsStatic)) {
    return false;
  }
  for (int i = 0; i < node.input_count(); ++i) {
    const ElementType type = node.input(i).type();
    if (i == 2 ? !IsIndex(type) : type != ElementType::kF32) return false;
  }
  const PartialShape& shape = node.input(1).shape();
  const int64_t lists = shape[0].value() * shape[1].value();
  const int64_t rows = node.port().shape[0].max();
  // The product of extents could overflow.
  return std::max({shape[0].value(), shape[1].value(), shape[2].value()}) <=
             kMaxScores &&
         lists <= kMaxScores && lists * shape[2].value() <= kMaxScores &&
         0 < rows && rows <= kMaxRows;
}

// The first `count` rows.
Value RowsOf(NodeBuilder& b, Value rows, Value count) {
  return b.Slice(rows, 0, b.Ints({0}), count);
}

absl::Status Bound(Model& model, Node& node) {
  NodeBuilder b(model, node);
  const std::vector<Value> bounded = b.MakeAll(
      BoundedSuppression(), node.inputs(), node.attributes().Clone());
  DOVETAIL_RETURN_IF_ERROR(b.status());
  std::vector<Value> outputs = {RowsOf(b, bounded[0], bounded[2])};
  if (node.output_count() > 1) {
    outputs.push_back(RowsOf(b, bounded[1], bounded[2]));
    outputs.push_back(bounded[2]);
  }
  DOVETAIL_RETURN_IF_ERROR(b.status());
  // Profiles and errors know it by this.
  bounded[0].node->set_name(node.name());
  model.ReplaceNode(&node, outputs);
  return absl::OkStatus();
}

}  // namespace

bool IsBoundedSuppression(const Node& node) {
  return node.op() == BoundedSuppression();
}

absl::StatusOr<std::shared_ptr<const Model>> BoundSuppressions(
    std::shared_ptr<const Model> model, const CustomKernels* custom) {
  const auto is_bounded = [&](const Node& node) {
    return CanBeBounded(node) &&
           (custom == nullptr || custom->Find(node.op()) == nullptr);
  };
  if (std::none_of(model->nodes().begin(), model->nodes().end(),
                   [&](const auto& node) { return is_bounded(*node); })) {
    return model;
  }
  std::shared_ptr<Model> copy = model->Clone();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            copy->TopologicalOrder());
  for (Node* node : order) {
    if (is_bounded(*node)) DOVETAIL_RETURN_IF_ERROR(Bound(*copy, *node));
  }
  return copy;
}

}  // namespace dovetail::gpu
