#include "dovetail/backends/common/compiler/constant_numbers.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {

ConstantNumbers::ConstantNumbers(const Model& model) { Add(model); }

void ConstantNumbers::Add(const Model& model) {
  for (const auto& node : model.nodes()) {
    for (const auto& body : node->bodies()) Add(*body->model);
    const auto* constant = std::as_const(*node).As<ConstantAttributes>();
    if (constant == nullptr) continue;
    // Each node counts, whether or not it shares memory: an import may give
    // memory of its own to what has shared some.
    const int number = count_++;
    if (constant->value.byte_size() == 0) continue;
    numbers_.emplace(constant->value.address(), number);
  }
}

std::optional<int> ConstantNumbers::Find(const Tensor& constant) const {
  const auto it = numbers_.find(constant.address());
  if (it == numbers_.end()) return std::nullopt;
  return it->second;
}

}  // namespace dovetail
