#include "dovetail/backends/vpu/simulator/post_operations.h"

#include <algorithm>

#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::vpu {
namespace {

const Tensor* ConstantOf(Value value) {
  if (!value) return nullptr;
  const auto* constant = value.node->As<ConstantAttributes>();
  return constant == nullptr ? nullptr : &constant->value;
}

// Whether it spreads over nothing but axis `axis` of `rank` ones, aligned at
// the last one.
bool IsAlongAxis(const Shape& shape, int axis, int rank) {
  for (int i = 0; i < shape.rank(); ++i) {
    if (i + rank - shape.rank() != axis && shape[i] != 1) return false;
  }
  return shape.rank() <= rank;
}

// The one layer that reads the value; null where there are others, or a result.
const Node* OnlyReader(Value value) {
  const std::vector<Use>& uses = value.port().uses;
  if (uses.size() != 1 || uses[0].node->op().Has(kStructural)) return nullptr;
  if (PlaceOfKernel(*uses[0].node) != nullptr) return nullptr;
  return uses[0].node;
}

}  // namespace

PostOperations::Chain PostOperations::TakeChain(Value sums) {
  Chain chain = {{}, sums};
  for (const Node* next = OnlyReader(sums); next != nullptr;
       next = OnlyReader(chain.output)) {
    const Value after = {const_cast<Node*>(next), 0};
    if (after.type() != sums.type() || after.shape() != sums.shape() ||
        !Take(*next, chain.output)) {
      break;
    }
    chain.nodes.push_back(next);
    chain.output = after;
  }
  return chain;
}

bool PostOperations::Take(const Node& node, Value sums) {
  if (has_activation_) return false;
  return TakeArithmetic(node, sums) || TakeActivation(node, sums);
}

std::vector<float> PostOperations::Numbers(Value constant, Value sums) const {
  const Tensor* const tensor = ConstantOf(constant);
  const auto channels = static_cast<int64_t>(epilogues_.size());
  const int rank = sums.shape().rank();
  if (tensor == nullptr || !IsAlongAxis(tensor->shape(), axis_, rank)) {
    return {};
  }
  const int64_t count = tensor->element_count();
  if (count != 1 && count != channels) return {};
  std::vector<float> numbers(channels);
  for (int64_t c = 0; c < channels; ++c) {
    numbers[c] =
        static_cast<float>(tensor->ElementAsDouble(count == 1 ? 0 : c));
  }
  return numbers;
}

bool PostOperations::TakeArithmetic(const Node& node, Value sums) {
  const bool adds = node.Is("Add"), subtracts = node.Is("Subtract");
  if (!adds && !subtracts && !node.Is("Multiply")) return false;
  const bool is_first = node.input(0) == sums;
  // Sums that are subtracted from a constant change their sign.
  if (subtracts && !is_first) return false;
  const std::vector<float> numbers =
      Numbers(node.input(is_first ? 1 : 0), sums);
  if (numbers.empty()) return false;
  for (size_t c = 0; c < numbers.size(); ++c) {
    host::HalfEpilogue& epilogue = epilogues_[c];
    if (adds || subtracts) {
      epilogue.shift += adds ? numbers[c] : -numbers[c];
    } else {
      epilogue.scale *= numbers[c];
      epilogue.shift *= numbers[c];
    }
  }
  return true;
}

bool PostOperations::TakeActivation(const Node& node, Value sums) {
  if (node.input(0) != sums) return false;
  std::vector<float> slopes;
  float low = epilogues_[0].low, high = epilogues_[0].high;
  if (node.Is("Relu")) {
    low = 0;
  } else if (const auto* clamp = node.As<ClampAttributes>()) {
    low = static_cast<float>(clamp->min);
    high = static_cast<float>(clamp->max);
  } else if (node.Is("PRelu")) {
    // One number a channel stands along axis 1, whatever its shape.
    const Tensor* const tensor = ConstantOf(node.input(1));
    const auto channels = static_cast<int64_t>(epilogues_.size());
    if (tensor == nullptr || axis_ != 1) return false;
    const int64_t count = tensor->element_count();
    if (count != 1 && count != channels) return false;
    for (int64_t c = 0; c < channels; ++c) {
      slopes.push_back(
          static_cast<float>(tensor->ElementAsDouble(count == 1 ? 0 : c)));
    }
  } else {
    return false;
  }
  for (size_t c = 0; c < epilogues_.size(); ++c) {
    epilogues_[c].low = low;
    epilogues_[c].high = high;
    if (!slopes.empty()) epilogues_[c].slope = slopes[c];
  }
  has_activation_ = true;
  return true;
}

}  // namespace dovetail::vpu
