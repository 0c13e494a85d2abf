// From what a builder has collected to the instructions of a program.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_REGISTER_ASSIGNMENT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_REGISTER_ASSIGNMENT_H_

#include <array>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"
#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// The most registers of a program, inputs included.
inline constexpr int kMaxRegisters = 24;

// Space for the registers of all programs: half of an L1 cache or more.
inline constexpr int64_t kScratchFloats = 12288;

// Where an operand is: a register, or a constant.
struct ElementwiseOperand {
  bool is_constant;
  int index;
};

// One loop over a tile.
struct ElementwiseInstruction {
  ElementwiseOp op;
  OpFunction function;
  int operand_count;
  std::array<ElementwiseOperand, kMaxOperands> operands;
  std::array<float, 2> parameters;
  int result;  // register
};

struct ElementwiseInput {
  ElementType type;
  LoadFloatsFn load;
};

struct ElementwiseResult {
  ElementType type;
  StoreFloatsFn store;
  int value;  // register, never one of an input
};

// A value of a builder; operands are the numbers of other values, all less than
// its own.
struct ElementwiseNode {
  enum class Kind { kInput, kConstant, kOp };
  Kind kind;
  int input = -1;
  float constant = 0;
  ElementwiseOp op = ElementwiseOp::kCopy;
  std::vector<int> operands = {};
  std::array<float, 2> parameters = {};
};

struct StoredValue {
  int value;
  ElementType type;
};

// Replaces instructions by one that does the same as several: multiply and add,
// subtract and multiply, x * sigmoid(x), powers of constant exponents; and
// leaves out a Relu whose zeros a quantization makes anyway. What is not used
// any more stays in the list.
void JoinInstructions(std::vector<ElementwiseNode>& nodes,
                      const std::vector<StoredValue>& stored);

// Turns the values that outputs need into instructions, in the same order, and
// reuses registers of values that are needed no more.
class RegisterAssignment {
 public:
  RegisterAssignment(const std::vector<ElementwiseNode>& nodes,
                     const std::vector<StoredValue>& stored, int input_count);

  // kResourceExhausted: more than kMaxRegisters are needed.
  absl::Status Run();

  std::vector<ElementwiseInstruction> instructions;
  std::vector<ElementwiseResult> outputs;
  std::vector<BroadcastConstant> constants;
  int register_count;

 private:
  void FindLastUses();
  ElementwiseOperand OperandOf(int value);
  void Release(const ElementwiseNode& node, int user);
  int TakeRegister();

  const std::vector<ElementwiseNode>& nodes_;
  const std::vector<StoredValue>& stored_;
  // By value: the last value that needs it, -1 for none; and where it is.
  std::vector<int> last_use_;
  std::vector<ElementwiseOperand> places_;
  std::vector<int> free_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_REGISTER_ASSIGNMENT_H_
