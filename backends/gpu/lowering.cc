#include "dovetail/backends/gpu/lowering.h"

#include <set>

#include "dovetail/backends/gpu/steps/table.h"
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

// Rules round and wrap around step by step, which in other types than f32 is
// seldom what the whole operation does: the host computes these.
bool StaysWhole(const Node& node) {
  return IsNative(node.op()) || node.output_count() == 0 ||
         node.port().type != ElementType::kF32;
}

}  // namespace

absl::Status LowerForGpu(Model& model, const Config& config) {
  PassManager passes("gpu");
  passes.Add<DeadCode>();
  passes.Add<ConstantFolding>();
  passes.Add<ConvertPrecision>(
      std::set<ElementType>{ElementType::kF16, ElementType::kBf16},
      ElementType::kF32);
  AddCommonPasses(passes);
  AddFusionPasses(passes);
  // What is left without a kernel is said by what has one, where it can be.
  passes.Add<Upgrade>(&StaysWhole);
  passes.Add<Decompose>(&StaysWhole);
  AddCommonPasses(passes);
  return RunPasses(passes, model, config);
}

}  // namespace dovetail::gpu
