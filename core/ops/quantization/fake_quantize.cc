#include "dovetail/core/ops/quantization/fake_quantize.h"

#include "dovetail/core/ops/quantization/broadcast_to_data.h"

namespace dovetail {

absl::Status InferFakeQuantize(InferContext& context) {
  const auto& attributes = context.attributes<FakeQuantizeAttributes>();
  if (attributes.levels < 2) {
    return context.Error("attribute 'levels' is ", attributes.levels,
                         ", want at least 2");
  }
  return InferBroadcastToData(context, attributes.auto_broadcast);
}

}  // namespace dovetail
