#include "dovetail/core/ops/quantization/fake_convert.h"

#include "dovetail/core/ops/quantization/broadcast_to_data.h"

namespace dovetail {

absl::Status InferFakeConvert(InferContext& context) {
  const ElementType type =
      context.attributes<FakeConvertAttributes>().destination_type;
  if (type != ElementType::kF8E4M3 && type != ElementType::kF8E5M2) {
    return context.Error("attribute 'destination_type' is ",
                         ElementTypeName(type), ", want f8e4m3 or f8e5m2");
  }
  return InferBroadcastToData(context, AutoBroadcast::kNumpy);
}

}  // namespace dovetail
