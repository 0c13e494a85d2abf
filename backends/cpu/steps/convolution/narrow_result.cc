#include "dovetail/backends/cpu/steps/convolution/narrow_result.h"

#include <algorithm>
#include <vector>

#include "dovetail/transformations/common/precise.h"

namespace dovetail::cpu {
namespace {

// Whether readers of a value that is computed in f32 can do with bf16.
bool ReadersTakeBf16(Value value) {
  const std::vector<Use>& uses = value.port().uses;
  return std::all_of(uses.begin(), uses.end(), [](const Use& use) {
    if (IsPrecise(*use.node)) return false;
    static constexpr OpType kTypes[] = {"Convolution",
                                        "GroupConvolution",
                                        "ConvolutionBackpropData",
                                        "GroupConvolutionBackpropData",
                                        "MaxPool",
                                        "AvgPool",
                                        "Add",
                                        "Concat"};
    for (const OpType type : kTypes) {
      if (use.node->Is(type)) return true;
    }
    return false;
  });
}

}  // namespace

ElementType NarrowResultType(Value result, const PlanBuilder& builder) {
  return ReadersTakeBf16(result) ? ElementType::kBf16
                                 : builder.StoredTypeOf(result);
}

}  // namespace dovetail::cpu
