// The epilogue of a kernel: operations element by element that follow what it
// computes, as data that any device can lower, print or run.
//
// Found once by one finder; then oneDNN gets it as post-operations, a kernel
// reads it as it is, an OpenCL kernel would print it. The nodes of an epilogue
// are a chain: each is the only reader of the value before. (Groups of nodes
// that read values several times: elementwise_group.h.)
#ifndef DOVETAIL_BACKENDS_COMMON_FUSION_EPILOGUE_H_
#define DOVETAIL_BACKENDS_COMMON_FUSION_EPILOGUE_H_

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// A number for each channel.
using ChannelVector = std::vector<float>;

// The number that all channels have; nothing: they differ.
std::optional<float> UniformValue(const ChannelVector& channels);

// ---- Operations on x, of f32 ----

// x * scale + shift: per-channel scales and biases.
struct AffineOp {
  ChannelVector scale, shift;

  bool IsScale() const { return UniformValue(shift) == 0.0f; }
  bool IsBias() const { return UniformValue(scale) == 1.0f; }
};

// min(max(x, low), high); infinite where there is no limit.
struct ClampOp {
  ChannelVector low, high;
};

// x * slope where x < 0.
struct SlopeOp {
  ChannelVector slope;
};

// A function of x alone: the node's type and attributes, and its other inputs,
// which are constants of one element.
struct ActivationOp {
  const Node* node = nullptr;
};

// x with a tensor of its shape, which is value * scale + shift: f32 as it is,
// or 8-bit integers that stand for f32. The node's type says what is done to
// the two, x first: Add, Subtract, Multiply, Divide, Maximum or Minimum.
struct ResidualOp {
  const Node* node = nullptr;
  Value value;
  float scale = 1, shift = 0;
};

// FakeQuantize: q = min(max(round(x * scale + shift), 0), steps), to the even
// one of two; then q * step + offset. In f32, in the order of the reference
// kernel.
struct QuantizeOp {
  ChannelVector scale, shift;
  float steps = 0;
  ChannelVector step, offset;

  // Whether results are whole numbers, one apart: offset + 0, 1, … steps.
  bool is_whole = false;
};

// What QuantizeOp made, whole numbers of that type's range, is stored as u8 or
// i8. The last operation.
struct StoreOp {
  ElementType type = ElementType::kU8;
};

using EpilogueOp = std::variant<AffineOp, ClampOp, SlopeOp, ActivationOp,
                                ResidualOp, QuantizeOp, StoreOp>;

// ---- The whole ----

struct EpilogueStage {
  EpilogueOp op;
  // The node that it is, and then others that nobody else needs.
  std::vector<const Node*> nodes;

  Value result() const { return {const_cast<Node*>(nodes.front()), 0}; }
};

struct Epilogue {
  Value anchor;
  std::vector<EpilogueStage> stages;

  size_t size() const { return stages.size(); }
  // What is computed, and how it is stored: f32 (or any other floating-point
  // type), u8 or i8.
  Value result() const {
    return stages.empty() ? anchor : stages.back().result();
  }
  ElementType type() const;
  // All nodes, in order.
  std::vector<const Node*> nodes() const;
  // The first `count` stages.
  Epilogue First(size_t count) const;
  // The operation number `i`, if there is one and it is that.
  template <typename Op>
  const Op* Find(size_t i) const {
    return i < size() ? std::get_if<Op>(&stages[i].op) : nullptr;
  }
};

// What a kernel takes of an epilogue, as far as the finder has to know: of the
// rest it takes the First operations that it has.
struct EpilogueSupport {
  // The axis along which constants may vary; negative: counted from the end.
  int channel_axis = 1;
  // Whether it computes that function; null: none.
  bool (*takes_activation)(const Node& node) = nullptr;
  // Whether residuals may be integers that stand for f32 (ResidualOp::scale).
  bool takes_integer_residuals = false;
  // Whether results may be stored as integers.
  bool stores_integers = true;
  size_t max_stages = 8;
};

// The longest epilogue behind `anchor`, an f32 value of static shape. Other
// operands than constants have to be ready.
Epilogue FindEpilogue(Value anchor, const EpilogueSupport& support,
                      absl::FunctionRef<bool(Value)> is_ready);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_FUSION_EPILOGUE_H_
