#include <cmath>
#include <utility>

#include "dovetail/backends/cpu/kernels/elementwise/register_assignment.h"

namespace dovetail::cpu {
namespace {

class Joiner {
 public:
  Joiner(std::vector<ElementwiseNode>& nodes,
         const std::vector<StoredValue>& stored)
      : nodes_(nodes), uses_(nodes.size()) {
    for (const ElementwiseNode& node : nodes) {
      for (const int operand : node.operands) ++uses_[operand];
    }
    for (const StoredValue& output : stored) ++uses_[output.value];
  }

  void Run() {
    for (ElementwiseNode& node : nodes_) {
      if (node.kind != ElementwiseNode::Kind::kOp) continue;
      if (node.op == ElementwiseOp::kAdd) JoinMultiplyAdd(node);
      if (node.op == ElementwiseOp::kMultiply) JoinSwish(node);
      if (node.op == ElementwiseOp::kMultiply) JoinShiftAndScale(node);
      if (node.op == ElementwiseOp::kFakeQuantize) DropRelu(node);
      if (node.op == ElementwiseOp::kPower) SimplifyPower(node);
    }
  }

 private:
  // Whether `value` is computed by `op`; and only for one use.
  bool Is(int value, ElementwiseOp op) const {
    const ElementwiseNode& node = nodes_[value];
    return node.kind == ElementwiseNode::Kind::kOp && node.op == op;
  }
  bool IsOnly(int value, ElementwiseOp op) const {
    return Is(value, op) && uses_[value] == 1;
  }

  // Null: it is none.
  const float* ConstantOf(int value) const {
    const ElementwiseNode& node = nodes_[value];
    return node.kind == ElementwiseNode::Kind::kConstant ? &node.constant
                                                         : nullptr;
  }

  // a * b + c
  void JoinMultiplyAdd(ElementwiseNode& node) {
    for (const int side : {0, 1}) {
      const int product = node.operands[side];
      if (!IsOnly(product, ElementwiseOp::kMultiply)) continue;
      const std::vector<int> factors = nodes_[product].operands;
      node.operands = {factors[0], factors[1], node.operands[1 - side]};
      node.op = ElementwiseOp::kMultiplyAdd;
      return;
    }
  }

  // x * sigmoid(x), also where the sigmoid is of beta * x.
  void JoinSwish(ElementwiseNode& node) {
    for (const int side : {0, 1}) {
      const int gate = node.operands[side], x = node.operands[1 - side];
      if (!IsOnly(gate, ElementwiseOp::kSigmoid)) continue;
      const int inner = nodes_[gate].operands[0];
      const float* const beta = ScaleOf(inner, x);
      if (inner != x && beta == nullptr) continue;
      node.parameters[0] = inner == x ? 1 : *beta;
      node.operands = {x};
      node.op = ElementwiseOp::kSwish;
      return;
    }
  }

  // The constant by which `value` is x multiplied for a single use, or null.
  const float* ScaleOf(int value, int x) const {
    if (!IsOnly(value, ElementwiseOp::kMultiply)) return nullptr;
    const std::vector<int>& factors = nodes_[value].operands;
    for (const int side : {0, 1}) {
      if (factors[1 - side] == x) {
        if (const float* const scale = ConstantOf(factors[side])) return scale;
      }
    }
    return nullptr;
  }

  // (x - zero) * scale, as integers are dequantized, is x * scale - zero *
  // scale but for the last bits. The subtraction's place holds the product.
  void JoinShiftAndScale(ElementwiseNode& node) {
    for (const int side : {0, 1}) {
      const int shifted = node.operands[side], scale = node.operands[1 - side];
      if (!IsOnly(shifted, ElementwiseOp::kSubtract)) continue;
      const int x = nodes_[shifted].operands[0];
      const float* const zero = ConstantOf(nodes_[shifted].operands[1]);
      if (zero == nullptr || ConstantOf(scale) == nullptr) continue;
      const float shift = -*zero * *ConstantOf(scale);
      if (!std::isfinite(shift)) continue;
      nodes_[shifted] = {.kind = ElementwiseNode::Kind::kConstant,
                         .constant = shift};
      node.operands = {x, scale, shifted};
      node.op = ElementwiseOp::kMultiplyAdd;
      return;
    }
  }

  // Negative numbers, too, are below a range of numbers from 0 on.
  void DropRelu(ElementwiseNode& node) {
    const int data = node.operands[0];
    if (!Is(data, ElementwiseOp::kRelu)) return;
    const float* const low = ConstantOf(node.operands[1]);
    const float* const high = ConstantOf(node.operands[2]);
    if (low == nullptr || high == nullptr) return;
    if (*low >= 0 && *high >= 0) node.operands[0] = nodes_[data].operands[0];
  }

  // Exponents for which there is an instruction.
  void SimplifyPower(ElementwiseNode& node) {
    const float* const exponent = ConstantOf(node.operands[1]);
    if (exponent == nullptr) return;
    constexpr std::pair<float, ElementwiseOp> kKnown[] = {
        {1.0f, ElementwiseOp::kCopy},
        {2.0f, ElementwiseOp::kSquare},
        {0.5f, ElementwiseOp::kSqrt},
        {-0.5f, ElementwiseOp::kReciprocalSqrt},
        {-1.0f, ElementwiseOp::kReciprocal},
        {3.0f, ElementwiseOp::kCube},
    };
    for (const auto& [number, op] : kKnown) {
      if (*exponent != number) continue;
      node.op = op;
      node.operands.pop_back();
      return;
    }
  }

  std::vector<ElementwiseNode>& nodes_;
  std::vector<int> uses_;
};

}  // namespace

void JoinInstructions(std::vector<ElementwiseNode>& nodes,
                      const std::vector<StoredValue>& stored) {
  Joiner(nodes, stored).Run();
}

}  // namespace dovetail::cpu
