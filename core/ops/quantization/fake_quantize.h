// FakeQuantize: round to a few levels, without leaving the floats.
#ifndef DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_QUANTIZE_H_
#define DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_QUANTIZE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/broadcast.h"

namespace dovetail {

struct FakeQuantizeAttributes : public AttributesOf<FakeQuantizeAttributes> {
  int64_t levels = 0;
  AutoBroadcast auto_broadcast = AutoBroadcast::kNumpy;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("levels", levels);
    visitor.Visit("auto_broadcast", auto_broadcast);
  }
};

// data, input low, input high, output low, output high -> the shape of data.
absl::Status InferFakeQuantize(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_QUANTIZE_H_
