// The mark of layers whose arithmetic has to stay in f32.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_PRECISE_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_PRECISE_H_

#include "dovetail/core/graph/node.h"

namespace dovetail {

// "precise_0" in rt_info, as OpenVINO's models have it: a device that computes
// in bf16 or f16, or with integers, computes such a layer in f32.
bool IsPrecise(const Node& node);
void MarkPrecise(Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_PRECISE_H_
