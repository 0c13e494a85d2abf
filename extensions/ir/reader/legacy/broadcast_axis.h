// The axis of broadcasting as PaddlePaddle does.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_LEGACY_BROADCAST_AXIS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_LEGACY_BROADCAST_AXIS_H_

#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader/layers.h"

namespace dovetail::ir {

// Where a layer broadcasts by "pdpd", a file may name the axis at which the
// broadcast inputs begin, or -1 for where they end with the other; the
// operations always begin at the first axis. So puts an Unsqueeze behind such
// `inputs`, which then have as many axes of 1 in front. The layer's error names
// an axis that there cannot be.
absl::Status AlignToBroadcastAxis(const Layer& layer, Model* model,
                                  std::vector<Value>* inputs);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_LEGACY_BROADCAST_AXIS_H_
