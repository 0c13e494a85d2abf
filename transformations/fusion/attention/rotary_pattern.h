// Recognises rotary embedding of positions, for which there is no operation.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_ROTARY_PATTERN_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_ROTARY_PATTERN_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// x * cos + half_turned(x) * sin, where the halves (a, b) of x's last axis are
// turned to (-b, a).
struct RotaryEmbedding {
  Value x;         // of known rank and static last extent, which is even
  Value cos, sin;  // broadcast as NumPy does, as far as is known; computed by
                   // anything, or constants
  // All nodes that it stands for, the last one first. But for the last one,
  // nobody else reads them.
  std::vector<const Node*> nodes;
};

// `last` is the Add.
std::optional<RotaryEmbedding> MatchRotaryEmbedding(const Node& last);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_ATTENTION_ROTARY_PATTERN_H_
