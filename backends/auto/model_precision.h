// The precision that a model is made for.
#ifndef DOVETAIL_BACKENDS_AUTO_MODEL_PRECISION_H_
#define DOVETAIL_BACKENDS_AUTO_MODEL_PRECISION_H_

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::automatic {

// As devices say it in OPTIMIZATION_CAPABILITIES: "BIN" for binary
// convolutions, "INT8" for a quantized model, else the floating-point type that
// most bytes of its constants are of: "FP32", "FP16" or "BF16".
absl::string_view PrecisionOf(const Model& model);

}  // namespace dovetail::automatic

#endif  // DOVETAIL_BACKENDS_AUTO_MODEL_PRECISION_H_
