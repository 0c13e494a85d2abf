#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// The newest version, whose new attributes say by default what the old one
// meant.
Replacement Newest(NodeBuilder& b, const Node& node) {
  return b.MakeAllLike(OpType::Named(node.op().type), node.inputs());
}

// The newest version has more outputs.
Replacement First(NodeBuilder& b, const Node& node) {
  return {b.MakeAllLike(OpType::Named(node.op().type), node.inputs())[0]};
}

Replacement LogicalXor(NodeBuilder& b, const Node& node) {
  return {b.MakeLike("LogicalXor", node.inputs())};
}

Replacement BagOffsets(NodeBuilder& b, const Node& node) {
  return {b.Make("EmbeddingBagOffsets", node.inputs(), {{"reduction", "sum"}})};
}

Replacement BagPacked(NodeBuilder& b, const Node& node) {
  return {b.Make("EmbeddingBagPacked", node.inputs(), {{"reduction", "sum"}})};
}

// Version 8 counts the classes: scores an image over priors. That is the same
// when both are known and there are priors, as inference has compared them.
Replacement DetectionOutput(NodeBuilder& b, const Node& node) {
  const PartialShape& scores = node.input(1).shape();
  const PartialShape& priors = node.input(2).shape();
  const bool are_known = scores.rank_known() && scores[1].is_static() &&
                         priors.rank_known() && priors[2].is_static();
  if (!are_known || priors[2].value() == 0) return {};
  return Newest(b, node);
}

// Gelu-0 is by erf, MaxPool-1 without dilations, OneHot-1 ignores negative
// indices, PriorBox-0 has the squares before the ratios, ROIAlign-3 is
// asymmetric, scatters replace: the defaults of today.
constexpr NodeRule kRules[] = {
    {"Assign", 3, "Assign-6", &Newest},
    {"AvgPool", 1, "AvgPool-16", &Newest},
    {"AvgPool", 14, "AvgPool-16", &Newest},
    {"Broadcast", 1, "Broadcast-3", &Newest},
    {"DeformableConvolution", 1, "DeformableConvolution-8", &Newest},
    {"DetectionOutput", 0, "DetectionOutput-8", &DetectionOutput},
    {"EmbeddingBagOffsetsSum", 3, "EmbeddingBagOffsets-15", &BagOffsets},
    {"EmbeddingBagPackedSum", 3, "EmbeddingBagPacked-15", &BagPacked},
    {"Gelu", 0, "Gelu-7", &Newest},
    {"MaxPool", 1, "MaxPool-14", &First},
    {"MaxPool", 8, "MaxPool-14", &Newest},
    {"MulticlassNms", 8, "MulticlassNms-9", &Newest},
    {"NonMaxSuppression", 1, "NonMaxSuppression-9", &First},
    {"NonMaxSuppression", 3, "NonMaxSuppression-9", &First},
    {"NonMaxSuppression", 4, "NonMaxSuppression-9", &First},
    {"NonMaxSuppression", 5, "NonMaxSuppression-9", &Newest},
    {"OneHot", 1, "OneHot-16", &Newest},
    {"Pad", 1, "Pad-12", &Newest},
    {"PriorBox", 0, "PriorBox-8", &Newest},
    {"Proposal", 0, "Proposal-4", &First},
    {"ROIAlign", 3, "ROIAlign-9", &Newest},
    {"ScatterElementsUpdate", 3, "ScatterElementsUpdate-12", &Newest},
    {"ScatterNDUpdate", 3, "ScatterNDUpdate-15", &Newest},
    {"ShapeOf", 0, "ShapeOf-3", &Newest},
    {"Softmax", 1, "Softmax-8", &Newest},
    {"Squeeze", 0, "Squeeze-15", &Newest},
    {"TopK", 1, "TopK-11", &Newest},
    {"TopK", 3, "TopK-11", &Newest},
    {"Xor", 0, "LogicalXor-1", &LogicalXor},
};

}  // namespace

absl::Span<const NodeRule> SameInputsUpgrades() { return kRules; }

}  // namespace dovetail
