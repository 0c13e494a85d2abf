// Convolutions, in all four forms, and MatMul with constant weights as one
// thing: an operation that is linear in its first input.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_LINEAR_OP_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_LINEAR_OP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

struct LinearOp {
  const Node* node;
  const Tensor* weights;  // input 1
  int channel_axis;       // of the output and of input 0
  int64_t inputs;         // channels of input 0
  int64_t outputs;        // of the output
  // The shapes in which a vector of numbers for each input channel, or output
  // channel, broadcasts to the weights.
  Shape input_shape, output_shape;
};

// The node as one; nothing when weights are no constant of floats, or a very
// large one, or a rank is not known.
std::optional<LinearOp> LinearOpOf(const Node& node);

// One, perhaps with a constant that is added, of nodes that nobody else reads.
struct BiasedLinearOp {
  LinearOp op;
  Value bias;  // empty without one
};
std::optional<BiasedLinearOp> BiasedLinearOpOf(Value value);

// One number, or one for each channel, of a constant that by its shape varies
// along `channel_axis` of a value of `rank` axes only.
std::optional<std::vector<double>> NumbersByChannel(Value constant, int rank,
                                                    int channel_axis,
                                                    int64_t channels);

// The operation with weights multiplied by a number for each output channel,
// or input channel (one for all will do). Empty where the products are no
// numbers of the type.
Value WithScaledOutputs(NodeBuilder& b, const LinearOp& op,
                        const std::vector<double>& scale);
Value WithScaledInputs(NodeBuilder& b, const LinearOp& op, Value data,
                       const std::vector<double>& scale);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_LINEAR_OP_H_
