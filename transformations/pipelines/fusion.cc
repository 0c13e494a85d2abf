#include "dovetail/transformations/pipelines/fusion.h"

#include <memory>
#include <utility>
#include <vector>

#include "dovetail/core/pass/fixpoint.h"
#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/attention/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/fusion/movement/rules.h"
#include "dovetail/transformations/fusion/normalization/rules.h"
#include "dovetail/transformations/fusion/recurrent/rules.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/dead_code.h"

namespace dovetail {

namespace {

// A node's rules are tried in this order.
std::vector<NodeRules::Family> AllFusions() {
  return {&ConstantOperandFusions,
          &ConvertFusions,
          &BroadcastFusions,
          &PartFusions,
          &TransposeFusions,
          &BlockFusions,
          &ReshapeFusions,
          &ClampFusions,
          &SwishFusions,
          &SoftPlusFusions,
          &HardActivationFusions,
          &GeluFusions,
          &NormalizeL2Fusions,
          &RmsNormFusions,
          &MvnFusions,
          &GroupNormFusions,
          &SoftmaxFusions,
          &AttentionFusions,
          &BatchNormFusions,
          &ScaleFusions,
          &ParallelFusions,
          &MatMulTransposeFusions,
          &MiddleAxisFusions,
          &PadFusions,
          &UnseenTapFusions,
          &ChannelOrderFusions,
          &SequenceFusions};
}

// What moves at one place may let something fuse before it.
constexpr int kMaxRuns = 3;

}  // namespace

void AddFusionPasses(PassManager& manager, const CommonPassesOptions& options) {
  auto fuse = std::make_unique<PassManager>("fuse");
  fuse->Add<FusionPass>("fusion", AllFusions());
  fuse->Add<ConstantFolding>(options.folding);
  fuse->Add<CommonSubexpressions>();
  fuse->Add<DeadCode>();
  manager.Add<Fixpoint>(std::move(fuse), kMaxRuns);
}

void AddAttentionFusion(PassManager& manager) {
  manager.Add<FusionPass>("attention-fusion",
                          std::vector<NodeRules::Family>{&AttentionFusions});
}

void AddActivationMovement(PassManager& manager) {
  manager.Add<FusionPass>("activation-movement",
                          std::vector<NodeRules::Family>{&ActivationMovements});
}

void AddMultipliedChannels(PassManager& manager) {
  manager.Add<FusionPass>("multiplied-channels",
                          std::vector<NodeRules::Family>{&MultipliedChannels});
  // Convolutions of one input repeat it once.
  manager.Add<CommonSubexpressions>();
}

void AddMergedGroups(PassManager& manager) {
  manager.Add<FusionPass>(
      "merged-groups",
      std::vector<NodeRules::Family>{&MergedGroupsOfFewChannels});
}

void AddPatchConvolutions(PassManager& manager) {
  manager.Add<FusionPass>("patches",
                          std::vector<NodeRules::Family>{&PatchConvolutions});
}

void AddConvolutionsOfParts(PassManager& manager) {
  manager.Add<FusionPass>("convolutions-of-parts",
                          std::vector<NodeRules::Family>{&ConvolutionsOfParts});
  // Indices of pools that nobody reads, joined.
  manager.Add<DeadCode>();
}

void AddChannelScales(PassManager& manager) {
  manager.Add<FusionPass>("channel-scales", std::vector<NodeRules::Family>{
                                                &QuantizedChannelScales});
}

void AddSliceAssignments(PassManager& manager) {
  manager.Add<FusionPass>("slice-assignments",
                          std::vector<NodeRules::Family>{&SliceAssignments});
}

}  // namespace dovetail
