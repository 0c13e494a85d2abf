#include "dovetail/backends/gpu/lowering.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/lowered_model.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/pipelines/fusion.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"
#include "dovetail/transformations/upgrade/upgrade.h"

namespace dovetail::gpu {
namespace {

// What one kernel of the host does better than many of the device's.
bool IsForHost(const Node& node) {
  static constexpr OpType kTypes[] = {
      // What their kernel does not take: as loops of launches they would wait
      // for the device at every step, 67 ms against 0.6 for 32 steps of an
      // LSTM of 128 on PoCL.
      "GRUSequence",
      "LSTMSequence",
      "RNNSequence",
      // Regions may be of images that there are not, which is an error.
      "DeformablePSROIPooling",
      "ExperimentalDetectronROIFeatureExtractor",
      "PSROIPooling",
      "ROIAlign",
      "ROIAlignRotated",
      "ROIPooling",
  };
  return std::any_of(std::begin(kTypes), std::end(kTypes),
                     [&](OpType type) { return node.Is(type); });
}

// Rules round and wrap around step by step, which in other types than f32 is
// seldom what the whole operation does: the host computes these.
bool StaysWhole(const Node& node) {
  return IsNative(node.op()) || IsForHost(node) || node.output_count() == 0 ||
         node.port().type != ElementType::kF32;
}

}  // namespace

absl::Status LowerForGpu(Model& model, const Config& config,
                         const CustomKernels& custom) {
  const auto stays_whole = [&](const Node& node) {
    return custom.Find(node.op()) != nullptr || StaysWhole(node);
  };
  PassManager passes("gpu");
  passes.Add<DeadCode>();
  passes.Add<ConstantFolding>();
  passes.Add<ConvertPrecision>(
      std::set<ElementType>{ElementType::kF16, ElementType::kBf16},
      ElementType::kF32);
  AddCommonPasses(passes);
  AddFusionPasses(passes);
  // What is left without a kernel is said by what has one, where it can be.
  passes.Add<Upgrade>(stays_whole);
  passes.Add<Decompose>(stays_whole);
  AddCommonPasses(passes);
  return RunPasses(passes, model, config);
}

}  // namespace dovetail::gpu
