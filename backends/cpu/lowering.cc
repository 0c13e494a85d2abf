#include "dovetail/backends/cpu/lowering.h"

#include <set>

#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/integer_choice.h"
#include "dovetail/backends/cpu/steps/elementwise/instruction.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/low_precision/attention_levels.h"
#include "dovetail/transformations/low_precision/weights/gather_compressed.h"
#include "dovetail/transformations/low_precision/weights/keep_compressed.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/pipelines/fusion.h"
#include "dovetail/transformations/pipelines/low_precision.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"

namespace dovetail::cpu {

namespace {

// Not where f32 is faster.
bool MayUseIntegers(const Config& config) {
  return HasIntegerConvolutions() && MayRoundActivations(config);
}

bool MultipliesInTiles(const Config& config) {
  return ComputeType(config) == ElementType::kBf16 && HasBf16Tiles();
}

// Sweeps and averages read bytes as they read floats.
bool ReadsIntegers(const Node& node) {
  return node.Is("ReduceMean") || ComputesByElement(node);
}

// A product of matrices says what it computes, so that rules of fusion find the
// attention that is written with it. Integers have no such product here.
bool StaysWhole(const Node& node) {
  return !node.Is("Einsum") || !IsFloat(node.port().type) ||
         WaitsForShapes(node);
}

}  // namespace

absl::Status LowerForCpu(Model& model, const Config& config) {
  PassManager passes("cpu");
  // Compressed tables and weights stay so where that saves memory.
  passes.Add<GatherCompressed>();
  passes.Add<DeadCode>();
  passes.Add<KeepCompressed>(
      KeptFloats{.half_floats = ComputeType(config) == ElementType::kF32,
                 .code_books = true});
  // What the file says about constants holds in the types of the file: weights
  // that it stores as integers and scales in f16 are f16 numbers. Integers that
  // are multiplied as such stay.
  if (MayUseIntegers(config)) passes.Add<KeepWeights>();
  passes.Add<ConstantFolding>();
  passes.Add<ConvertPrecision>(
      std::set<ElementType>{ElementType::kF16, ElementType::kBf16},
      ElementType::kF32);
  passes.Add<Decompose>(&StaysWhole);
  if (MayUseIntegers(config)) {
    AddChannelScales(passes);
    LowPrecisionOptions options;
    options.takes_integers = &TakesIntegers;
    options.prefers_signed = &PrefersSigned;
    options.reads_integers = &ReadsIntegers;
    AddLowPrecisionPasses(passes, options);
  } else {
    AddCommonPasses(passes);
  }
  AddSliceAssignments(passes);
  AddFusionPasses(passes);
  if (ComputeType(config) == ElementType::kBf16) {
    passes.Add<AttentionLevels>();
    passes.Add<ConstantFolding>();
  }
  AddPatchConvolutions(passes);
  AddMultipliedChannels(passes);
  // Narrower vectors have channels in blocks, which are joined in place.
  if (HasAvx512()) AddConvolutionsOfParts(passes);
  if (MultipliesInTiles(config)) AddMergedGroups(passes);
  AddActivationMovement(passes);
  return RunPasses(passes, model, config);
}

void AddPassesForShapes(PassManager& passes) {
  passes.Add<Decompose>(&StaysWhole);
  AddCommonPassesOnce(passes);
  AddAttentionFusion(passes);
}

}  // namespace dovetail::cpu
