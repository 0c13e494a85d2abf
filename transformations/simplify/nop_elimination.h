// Removes nodes whose output is one of their inputs, element by element and bit
// by bit.
#ifndef DOVETAIL_TRANSFORMATIONS_SIMPLIFY_NOP_ELIMINATION_H_
#define DOVETAIL_TRANSFORMATIONS_SIMPLIFY_NOP_ELIMINATION_H_

#include "dovetail/core/graph/node.h"
#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Conversions to the same type, reshapes (alone and in a row) to the same
// shape, transposes that keep the order (also two that undo each other), empty
// pads, whole slices, Concat and Split of one part, Tile and Broadcast that
// repeat nothing, and adding 0 or multiplying by 1. Where a node is an output
// of the model that could then no longer go by its name, it stays.
class NopElimination : public Pass {
 public:
  absl::string_view name() const override { return "nop-elimination"; }
  absl::StatusOr<bool> Run(Model& model) override;
};

// The value that `node`'s only output repeats; the empty Value when it does
// more than that, or when that is not certain.
Value RepeatedValue(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_SIMPLIFY_NOP_ELIMINATION_H_
