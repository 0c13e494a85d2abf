#include "dovetail/backends/cpu/kernels/elementwise/register_assignment.h"

#include <algorithm>

#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// After all values: needed by an output.
constexpr int kAtTheEnd = 1 << 30;

}  // namespace

RegisterAssignment::RegisterAssignment(
    const std::vector<ElementwiseNode>& nodes,
    const std::vector<StoredValue>& stored, int input_count)
    : register_count(input_count),
      nodes_(nodes),
      stored_(stored),
      last_use_(nodes.size(), -1),
      places_(nodes.size(), {false, -1}) {}

// From the end, so that what only unneeded values use counts as unneeded.
void RegisterAssignment::FindLastUses() {
  for (const StoredValue& output : stored_) {
    last_use_[output.value] = kAtTheEnd;
  }
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    if (last_use_[i] < 0) continue;
    for (const int operand : nodes_[i].operands) {
      last_use_[operand] = std::max(last_use_[operand], i);
    }
  }
}

ElementwiseOperand RegisterAssignment::OperandOf(int value) {
  ElementwiseOperand& place = places_[value];
  const ElementwiseNode& node = nodes_[value];
  if (place.index < 0 && node.kind == ElementwiseNode::Kind::kConstant) {
    place = {true, static_cast<int>(constants.size())};
    constants.emplace_back(node.constant);
  }
  if (node.kind == ElementwiseNode::Kind::kInput) place = {false, node.input};
  return place;
}

// Frees the registers of operands that no later value needs. Those of inputs
// are not for others: what was loaded into them may serve the next tile.
void RegisterAssignment::Release(const ElementwiseNode& node, int user) {
  for (size_t i = 0; i < node.operands.size(); ++i) {
    const int operand = node.operands[i];
    const auto first =
        std::find(node.operands.begin(), node.operands.end(), operand);
    if (nodes_[operand].kind != ElementwiseNode::Kind::kOp ||
        last_use_[operand] != user ||
        first != node.operands.begin() + static_cast<ptrdiff_t>(i)) {
      continue;
    }
    free_.push_back(places_[operand].index);
  }
}

int RegisterAssignment::TakeRegister() {
  if (free_.empty()) return register_count++;
  const int taken = free_.back();
  free_.pop_back();
  return taken;
}

absl::Status RegisterAssignment::Run() {
  FindLastUses();
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const ElementwiseNode& node = nodes_[i];
    if (node.kind != ElementwiseNode::Kind::kOp || last_use_[i] < 0) continue;
    ElementwiseInstruction instruction{
        .op = node.op,
        .function = FindOpFunction(node.op),
        .operand_count = static_cast<int>(node.operands.size()),
        .operands = {},
        .parameters = node.parameters,
        .result = -1};
    for (size_t k = 0; k < node.operands.size(); ++k) {
      instruction.operands[k] = OperandOf(node.operands[k]);
    }
    // The result may take the place of an operand: element by element.
    Release(node, i);
    instruction.result = TakeRegister();
    places_[i] = {false, instruction.result};
    instructions.push_back(instruction);
  }
  for (const StoredValue& output : stored_) {
    outputs.push_back({output.type, FindStoreFloats(output.type),
                       places_[output.value].index});
  }
  if (register_count > kMaxRegisters) {
    return ResourceExhausted("an elementwise program of ", nodes_.size(),
                             " values needs ", register_count,
                             " registers; there are ", kMaxRegisters);
  }
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
