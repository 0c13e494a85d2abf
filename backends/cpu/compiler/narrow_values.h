// Values of f32 that plans store as bf16.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_NARROW_VALUES_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_NARROW_VALUES_H_

#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Those that nothing but layers which multiply in bf16 will read, directly or
// behind operations that move them or compute element by element. The layers
// would round them anyway; who writes them rounded spares the layers a copy,
// and the operations between half of the bytes.
class NarrowValues {
 public:
  struct Rules {
    // Whether a layer rounds what it reads there to bf16.
    absl::FunctionRef<bool(const Use& use)> rounds;
    // Whether rounding what a node reads there is as good as rounding its
    // outputs.
    absl::FunctionRef<bool(const Use& use)> passes_on;
  };

  // None.
  NarrowValues() = default;
  // `order` is topological. Nodes outlive the object.
  NarrowValues(absl::Span<Node* const> order, const Rules& rules);

  bool Has(Value value) const {
    return values_.count({value.node, value.index}) > 0;
  }

 private:
  bool TakesNarrow(const Use& use, const Rules& rules) const;

  std::set<std::pair<const Node*, int>> values_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_NARROW_VALUES_H_
