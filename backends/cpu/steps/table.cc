#include "dovetail/backends/cpu/steps/table.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/backends/cpu/steps/attention/table.h"
#include "dovetail/backends/cpu/steps/convolution/convolution.h"
#include "dovetail/backends/cpu/steps/convolution/table.h"
#include "dovetail/backends/cpu/steps/elementwise/table.h"
#include "dovetail/backends/cpu/steps/image/table.h"
#include "dovetail/backends/cpu/steps/indexing/table.h"
#include "dovetail/backends/cpu/steps/linear/matmul.h"
#include "dovetail/backends/cpu/steps/linear/table.h"
#include "dovetail/backends/cpu/steps/movement/channels.h"
#include "dovetail/backends/cpu/steps/movement/table.h"
#include "dovetail/backends/cpu/steps/narrowing.h"
#include "dovetail/backends/cpu/steps/normalization/table.h"
#include "dovetail/backends/cpu/steps/pooling/table.h"
#include "dovetail/backends/cpu/steps/recurrent/table.h"
#include "dovetail/backends/cpu/steps/reduction/reduction.h"
#include "dovetail/backends/cpu/steps/reduction/table.h"
#include "dovetail/backends/cpu/steps/reference/reference_step.h"
#include "dovetail/backends/cpu/steps/signal/table.h"
#include "dovetail/backends/cpu/steps/views/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::cpu {
namespace {

using Emitters = std::unordered_map<std::string, std::vector<EmitFn>>;

const Emitters& AllEmitters() {
  static const auto& emitters = *[] {
    auto* all = new Emitters;
    for (const auto& rows : {
             // Before all others: weights that are no steps.
             LinearEmitters(),
             // Before ElementwiseEmitters: see ConvolutionEmitters.
             ConvolutionEmitters(),
             PoolingEmitters(),
             // Before ElementwiseEmitters: what begins with a square.
             NormalizationEmitters(),
             // Before ElementwiseEmitters: products and sums of it.
             RotaryEmitters(),
             ElementwiseEmitters(),
             // Before MovementEmitters: transpositions that are read through.
             AttentionEmitters(),
             MovementEmitters(),
             // After MovementEmitters: a Gather that is a slice is no step.
             IndexingEmitters(),
             ImageEmitters(),
             ReductionEmitters(),
             RecurrentEmitters(),
             SignalEmitters(),
             ViewEmitters(),
         }) {
      for (const EmitterRow& row : rows) {
        (*all)[std::string(row.type.type())].push_back(row.emit);
      }
    }
    return all;
  }();
  return emitters;
}

bool ReadsBytes(const Node& node) {
  return ConvolutionReadsBytes(node) || MatMulReadsBytes(node) ||
         ReductionReadsBytes(node);
}

void Begin(const CompileSettings& settings) {
  SetPrimitiveThreads(settings.threads);
}

absl::StatusOr<bool> Emit(const Node& node, PlanBuilder& builder) {
  if (!node.op().custom_opset.empty()) return false;
  const auto it = AllEmitters().find(std::string(node.op().type));
  if (it == AllEmitters().end()) return false;
  for (const EmitFn emit : it->second) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool taken, emit(node, builder));
    if (taken) return true;
  }
  return false;
}

}  // namespace

bool IsNative(const OpInfo& op) {
  if (!op.custom_opset.empty()) return false;
  return op.Has(kStructural) || AllEmitters().count(std::string(op.type)) > 0;
}

std::string NativeOperations() {
  std::vector<std::string> names;
  for (const OpInfo* op : AllOps()) {
    if (IsNative(*op)) names.push_back(op->ToString());
  }
  return absl::StrJoin(names, " ");
}

const CompilerTables& AllTables() {
  static constexpr CompilerTables kTables = {&Begin,
                                             &Emit,
                                             &ReadsBytes,
                                             &FindNarrowValues,
                                             &FindChannelMoves,
                                             &EmitReference,
                                             &MakeReorder};
  return kTables;
}

}  // namespace dovetail::cpu
