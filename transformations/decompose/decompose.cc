#include "dovetail/transformations/decompose/decompose.h"

#include <vector>

#include "absl/types/span.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/decompose/control/rules.h"
#include "dovetail/transformations/decompose/ctc/rules.h"
#include "dovetail/transformations/decompose/embedding/rules.h"
#include "dovetail/transformations/decompose/image/rules.h"
#include "dovetail/transformations/decompose/indexing/rules.h"
#include "dovetail/transformations/decompose/movement/rules.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"
#include "dovetail/transformations/decompose/roi/rules.h"
#include "dovetail/transformations/decompose/signal/rules.h"

namespace dovetail {
namespace {

// One line a family.
using Family = absl::Span<const NodeRule> (*)();
constexpr Family kFamilies[] = {
    &ActivationDecompositions,
    &AttentionDecompositions,
    &BlockDecompositions,
    &BranchDecompositions,
    &BroadcastingDecompositions,
    &CellDecompositions,
    &ColorDecompositions,
    &ConvolutionDecompositions,
    &CtcDecompositions,
    &DeformableDecompositions,
    &EinsumDecompositions,
    &ElementwiseDecompositions,
    &EmbeddingDecompositions,
    &FillingDecompositions,
    &FourierDecompositions,
    &FrameDecompositions,
    &GatherDecompositions,
    &GatherTreeDecompositions,
    &GridSampleDecompositions,
    &GroupedMatMulDecompositions,
    &NormalizationDecompositions,
    &OrderDecompositions,
    &OrderingDecompositions,
    &PatchDecompositions,
    &PoolingDecompositions,
    &QuantizationDecompositions,
    &ReductionDecompositions,
    &RegionDecompositions,
    &ReshapingDecompositions,
    &ResizeDecompositions,
    &RoiAlignDecompositions,
    &RoiPoolingDecompositions,
    &ScatterDecompositions,
    &SequenceDecompositions,
    &SlicingDecompositions,
};

std::vector<NodeRule> AllRules() {
  std::vector<NodeRule> rules;
  for (Family family : kFamilies) {
    for (const NodeRule& rule : family()) rules.push_back(rule);
  }
  return rules;
}

}  // namespace

const NodeRules& Decompositions() {
  static const auto* rules = new NodeRules(AllRules());
  return *rules;
}

}  // namespace dovetail
