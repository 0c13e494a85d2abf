#include "dovetail/transformations/decompose/decompose.h"

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
constexpr NodeRules::Family kFamilies[] = {
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

}  // namespace

const NodeRules& Decompositions() {
  static const auto* rules = new NodeRules(kFamilies);
  return *rules;
}

bool WaitsForShapes(const Node& node) {
  return node.Is("Einsum") && !KnowsSummedExtents(node);
}

}  // namespace dovetail
