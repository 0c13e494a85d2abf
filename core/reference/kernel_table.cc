#include "dovetail/core/reference/kernel_table.h"

#include <map>
#include <utility>

#include "absl/types/span.h"
#include "dovetail/core/reference/activation/table.h"
#include "dovetail/core/reference/control/table.h"
#include "dovetail/core/reference/convolution/table.h"
#include "dovetail/core/reference/ctc/table.h"
#include "dovetail/core/reference/detection/table.h"
#include "dovetail/core/reference/elementwise/table.h"
#include "dovetail/core/reference/embedding/table.h"
#include "dovetail/core/reference/image/table.h"
#include "dovetail/core/reference/indexing/table.h"
#include "dovetail/core/reference/linear/table.h"
#include "dovetail/core/reference/movement/table.h"
#include "dovetail/core/reference/normalization/table.h"
#include "dovetail/core/reference/pooling/table.h"
#include "dovetail/core/reference/quantization/table.h"
#include "dovetail/core/reference/random/table.h"
#include "dovetail/core/reference/recurrent/table.h"
#include "dovetail/core/reference/reduction/table.h"
#include "dovetail/core/reference/roi/table.h"
#include "dovetail/core/reference/shape_query/table.h"
#include "dovetail/core/reference/signal/table.h"
#include "dovetail/core/reference/state/table.h"
#include "dovetail/core/reference/string/table.h"
#include "dovetail/core/reference/structural/table.h"

namespace dovetail {
namespace {

// Every family of kernels, one line each.
constexpr absl::Span<const KernelRow> (*kFamilies[])() = {
    &ActivationKernels, &ControlKernels,      &ConvolutionKernels,
    &CtcKernels,        &DetectionKernels,    &ElementwiseKernels,
    &EmbeddingKernels,  &ImageKernels,        &IndexingKernels,
    &LinearKernels,     &MovementKernels,     &NormalizationKernels,
    &PoolingKernels,    &QuantizationKernels, &RandomKernels,
    &RecurrentKernels,  &ReductionKernels,    &RoiKernels,
    &ShapeQueryKernels, &SignalKernels,       &StateKernels,
    &StringKernels,     &StructuralKernels,
};

using KernelMap = std::map<std::pair<absl::string_view, int>, KernelFn>;

KernelMap MakeKernelMap() {
  KernelMap map;
  for (auto family : kFamilies) {
    for (const KernelRow& row : family()) {
      map.emplace(std::pair(row.type, row.version), row.kernel);
    }
  }
  return map;
}

}  // namespace

KernelFn FindKernel(const OpInfo& op) {
  static const auto* const map = new KernelMap(MakeKernelMap());
  if (op.extension != nullptr) return op.extension->kernel;
  if (!op.custom_opset.empty()) return nullptr;
  const auto it = map->find({op.type, op.version});
  return it == map->end() ? nullptr : it->second;
}

}  // namespace dovetail
