#include "dovetail/backends/gpu/steps/table.h"

#include <unordered_map>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/compiler/emitter.h"
#include "dovetail/backends/gpu/steps/attention/table.h"
#include "dovetail/backends/gpu/steps/convolution/table.h"
#include "dovetail/backends/gpu/steps/custom/emit_custom.h"
#include "dovetail/backends/gpu/steps/detection/table.h"
#include "dovetail/backends/gpu/steps/elementwise/table.h"
#include "dovetail/backends/gpu/steps/image/table.h"
#include "dovetail/backends/gpu/steps/indexing/table.h"
#include "dovetail/backends/gpu/steps/linear/table.h"
#include "dovetail/backends/gpu/steps/movement/table.h"
#include "dovetail/backends/gpu/steps/normalization/table.h"
#include "dovetail/backends/gpu/steps/pooling/table.h"
#include "dovetail/backends/gpu/steps/recurrent/table.h"
#include "dovetail/backends/gpu/steps/reduction/table.h"
#include "dovetail/backends/gpu/steps/roi/table.h"
#include "dovetail/backends/gpu/steps/views/table.h"
#include "dovetail/backends/gpu/steps/weights/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::gpu {
namespace {

using Emitters = std::unordered_map<std::string, std::vector<EmitFn>>;

const Emitters& AllEmitters() {
  static const auto& emitters = *[] {
    auto* all = new Emitters;
    for (const auto& rows : {
             // Before all others: views that only attention reads.
             AttentionEmitters(),
             ConvolutionEmitters(),
             LinearEmitters(),
             // Before those of Reshape and of elementwise operations.
             WeightEmitters(),
             // Before ElementwiseEmitters: what begins with a square.
             NormalizationEmitters(),
             ElementwiseEmitters(),
             DetectionEmitters(),
             ImageEmitters(),
             IndexingEmitters(),
             MovementEmitters(),
             PoolingEmitters(),
             RecurrentEmitters(),
             ReductionEmitters(),
             RoiEmitters(),
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

}  // namespace

absl::StatusOr<bool> Emit(const Node& node, PlanBuilder& builder) {
  if (const CustomKernel* custom = builder.CustomKernelOf(node)) {
    DOVETAIL_RETURN_IF_ERROR(EmitCustom(*custom, node, builder));
    return true;
  }
  const auto it = AllEmitters().find(std::string(node.op().type));
  if (it == AllEmitters().end()) return false;
  for (const EmitFn emit : it->second) {
    DOVETAIL_ASSIGN_OR_RETURN(const bool taken, emit(node, builder));
    if (taken) return true;
  }
  return false;
}

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

}  // namespace dovetail::gpu
