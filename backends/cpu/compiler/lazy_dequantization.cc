#include "dovetail/backends/cpu/compiler/lazy_dequantization.h"

namespace dovetail::cpu {
namespace {

bool IsByte(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kI8;
}

bool IsWidening(const Node& node) {
  return node.Is("Convert") && IsByte(node.input(0).type()) &&
         !node.input(0).node->Is("Constant") &&
         node.port().type == ElementType::kF32;
}

// The data of an operation by a constant; empty: it is none.
Value DataOf(const Node& node) {
  if (node.input_count() != 2) return {};
  if (node.input(1).node->Is("Constant")) return node.input(0);
  if (node.input(0).node->Is("Constant")) return node.input(1);
  return {};
}

}  // namespace

bool IsLazyDequantization(const Node& node) {
  const Node* at = &node;
  for (const OpType type : {OpType("Multiply"), OpType("Subtract")}) {
    if (!at->Is(type)) continue;
    const Value data = DataOf(*at);
    if (!data) return false;
    at = data.node;
  }
  return IsWidening(*at);
}

}  // namespace dovetail::cpu
