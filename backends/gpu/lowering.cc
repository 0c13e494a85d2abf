#include "dovetail/backends/gpu/lowering.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/custom/stand_in.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/low_precision/weights/gather_compressed.h"
#include "dovetail/transformations/low_precision/weights/keep_compressed.h"
#include "dovetail/transformations/low_precision/weights/keep_compressed_convolutions.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/pipelines/fusion.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"
#include "dovetail/transformations/upgrade/upgrade.h"

namespace dovetail::gpu {
namespace {

bool IsOneOfTypes(const OpInfo& op, absl::Span<const OpType> types) {
  return std::any_of(types.begin(), types.end(), [&](OpType type) {
    return type.Matches(op.type, op.version);
  });
}

// What one kernel of the host does better than many of the device's.
bool IsForHost(const OpInfo& op) {
  static constexpr OpType kTypes[] = {
      // What their kernel does not take: as loops of launches they would wait
      // for the device at every step, 67 ms against 0.6 for 32 steps of an
      // LSTM of 128 on PoCL.
      "GRUSequence",
      "LSTMSequence",
      "RNNSequence",
  };
  return IsOneOfTypes(op, kTypes);
}

// Rules round and wrap around step by step, which in other types than f32 is
// seldom what the whole operation does: the host computes these.
bool StaysWhole(const Node& node) {
  return IsNative(node.op()) || IsForHost(node.op()) ||
         node.output_count() == 0 || node.port().type != ElementType::kF32;
}

// What has rules that are not for what StaysWhole lets through.
bool IsSeldomReplaced(const OpInfo& op) {
  static constexpr OpType kTypes[] = {
      "CTCGreedyDecoderSeqLen",  // gives integers
      "If",                      // but where the condition is a constant
  };
  return IsOneOfTypes(op, kTypes);
}

// Whether this version, or a newer one that Upgrade makes of it, has a rule.
bool HasRule(const OpInfo& op) {
  const std::vector<const OpInfo*>& all = AllOps();
  return std::any_of(all.begin(), all.end(), [&](const OpInfo* other) {
    const bool is_reached = other == &op || (other->type == op.type &&
                                             other->version > op.version &&
                                             !Upgrades().For(op).empty());
    return is_reached && !Decompositions().For(*other).empty();
  });
}

}  // namespace

std::string DecomposedOperations() {
  std::vector<std::string> names;
  for (const OpInfo* op : AllOps()) {
    if (IsNative(*op) || IsForHost(*op) || IsSeldomReplaced(*op)) continue;
    if (!HasRule(*op)) continue;
    names.push_back(op->ToString());
  }
  return absl::StrJoin(names, " ");
}

absl::Status LowerForGpu(Model& model, const Config& config,
                         const CustomKernels& custom) {
  DOVETAIL_RETURN_IF_ERROR(AddStandIns(model, custom));
  PassManager passes("gpu");
  // Compressed tables and weights stay so, but where kernels of a user's may
  // compute what is between them and a product.
  if (custom.empty()) passes.Add<GatherCompressed>(/*least_bits=*/8);
  passes.Add<DeadCode>();
  if (custom.empty()) {
    passes.Add<KeepCompressed>();
    passes.Add<KeepCompressedConvolutions>();
  }
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
  DOVETAIL_RETURN_IF_ERROR(RunPasses(passes, model, config));
  if (custom.empty()) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(RemoveStandIns(model));
  return model.Infer();
}

}  // namespace dovetail::gpu
