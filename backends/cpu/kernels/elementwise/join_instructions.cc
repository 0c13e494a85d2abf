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
      if (node.op == ElementwiseOp::kPower) SimplifyPower(node);
    }
  }

 private:
  // Whether `value` is computed by `op`, and only for one use.
  bool IsOnly(int value, ElementwiseOp op) const {
    const ElementwiseNode& node = nodes_[value];
    return node.kind == ElementwiseNode::Kind::kOp && node.op == op &&
           uses_[value] == 1;
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
      const ElementwiseNode& scale = nodes_[factors[side]];
      if (factors[1 - side] == x &&
          scale.kind == ElementwiseNode::Kind::kConstant) {
        return &scale.constant;
      }
    }
    return nullptr;
  }

  // Exponents for which there is an instruction.
  void SimplifyPower(ElementwiseNode& node) {
    const ElementwiseNode& exponent = nodes_[node.operands[1]];
    if (exponent.kind != ElementwiseNode::Kind::kConstant) return;
    constexpr std::pair<float, ElementwiseOp> kKnown[] = {
        {1.0f, ElementwiseOp::kCopy},
        {2.0f, ElementwiseOp::kSquare},
        {0.5f, ElementwiseOp::kSqrt},
        {-0.5f, ElementwiseOp::kReciprocalSqrt},
        {-1.0f, ElementwiseOp::kReciprocal},
        {3.0f, ElementwiseOp::kCube},
    };
    for (const auto& [number, op] : kKnown) {
      if (exponent.constant != number) continue;
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
