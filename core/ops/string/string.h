// StringTensorPack and StringTensorUnpack: strings as one row of bytes, and
// where in it each begins and ends.
#ifndef DOVETAIL_CORE_OPS_STRING_STRING_H_
#define DOVETAIL_CORE_OPS_STRING_STRING_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// begins, ends, symbols -> strings
absl::Status InferStringTensorPack(InferContext& context);
// strings -> begins, ends, symbols
absl::Status InferStringTensorUnpack(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRING_STRING_H_
