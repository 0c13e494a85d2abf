// A node of static shapes that the host computes, on memory that a device gives
// it: by its reference kernel, or a faster one of the host's.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_HOST_NODE_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_HOST_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Immutable; contexts run it at the same time, each with a state of its own.
class HostNode {
 public:
  // What one context keeps between runs.
  class State;

  // `node` outlives this. `compile_body` may be null: reference kernels then
  // run its bodies.
  HostNode(const Node& node, const CompileBodyFn& compile_body);
  ~HostNode();

  std::shared_ptr<State> NewState() const;

  // Pointers to dense row-major elements, in the order of the node's inputs and
  // outputs; null for those that are not there. Errors name the node.
  absl::Status Run(absl::Span<void* const> inputs,
                   absl::Span<void* const> outputs, State& state,
                   RunEnvironment& environment) const;

 private:
  struct Port {
    ElementType type = ElementType::kDynamic;
    Shape shape;
  };
  static Port PortOf(Value value);
  static absl::StatusOr<std::vector<Tensor>> Tensors(
      const std::vector<Port>& ports, absl::Span<void* const> pointers);

  const Node& node_;
  std::vector<Port> inputs_, outputs_;
  std::unique_ptr<BodyPrograms> bodies_;  // null: reference kernels run them
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_HOST_NODE_H_
