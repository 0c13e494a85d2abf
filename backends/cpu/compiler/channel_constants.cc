#include "dovetail/backends/cpu/compiler/channel_constants.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// What code generated for 16 lanes reads.
constexpr int64_t kLanes = 16;

}  // namespace

absl::StatusOr<Operand> AddChannelConstants(PlanBuilder& builder,
                                            const ChannelVector& channels) {
  if (channels.empty()) return Operand();
  const int64_t blocks =
      CeilDivide(static_cast<int64_t>(channels.size()), kLanes);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor tensor,
      Tensor::Allocate(ElementType::kF32, {blocks * kLanes}));
  std::copy(channels.begin(), channels.end(), tensor.mutable_data<float>());
  return builder.AddConstant(tensor);
}

}  // namespace dovetail::cpu
