// Makes one copy of the body for each iteration of a short loop, for devices
// that run no loops and for optimisations across iterations.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_UNROLL_LOOPS_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_UNROLL_LOOPS_H_

#include <cstdint>
#include <optional>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/common/node_rules.h"
#include "dovetail/transformations/decompose/control/rules.h"

namespace dovetail {

// No loop of more iterations is unrolled.
inline constexpr int64_t kMaxUnrolled = 1024;

// How often a Loop or TensorIterator runs its body, if that is known and none
// of the iterations can end it; nothing for other nodes.
std::optional<int64_t> KnownIterations(const Node& node);

class UnrollLoops : public Pass {
 public:
  // Leaves loops of more iterations as they are.
  explicit UnrollLoops(int64_t most) : most_(most), rules_(UnrollRules()) {}

  absl::string_view name() const override { return "unroll-loops"; }
  absl::StatusOr<bool> Run(Model& model) override {
    return rules_.Apply(model, [this](const Node& node) {
      return KnownIterations(node).value_or(kMaxUnrolled + 1) > most_;
    });
  }

 private:
  const int64_t most_;
  const NodeRules rules_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_CONTROL_UNROLL_LOOPS_H_
