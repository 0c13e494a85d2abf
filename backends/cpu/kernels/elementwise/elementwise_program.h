// Chains of elementwise operations that are evaluated in one sweep over memory.
//
// A program is a list of instructions on f32 numbers. It is run on tiles of
// some hundred elements: each instruction is a loop over a tile, and what is
// between two instructions stays in the first-level cache. Inputs of other
// types become f32 when a tile is loaded, results take the output's type when
// it is stored.
//
//   ElementwiseProgram::Builder builder;
//   const auto x = builder.AddInput(ElementType::kF32);
//   const auto bias = builder.AddInput(ElementType::kF32);
//   const auto sum = builder.Op(ElementwiseOp::kAdd, {x, bias});
//   builder.Output(builder.Op(ElementwiseOp::kGeluErf, {sum}),
//                  ElementType::kF32);
//   DOVETAIL_ASSIGN_OR_RETURN(const ElementwiseProgram program,
//                             std::move(builder).Build());
//
// How the elements lie in memory is no part of a program: see
// elementwise_geometry.h; and run_elementwise.h to run it.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_PROGRAM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_PROGRAM_H_

#include <array>
#include <initializer_list>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"
#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Immutable, and so may be run by several threads at once. Default constructed
// it has no outputs and does nothing.
class ElementwiseProgram {
 public:
  class Builder;

  // Where an operand is: a register, or a constant.
  struct Operand {
    bool is_constant;
    int index;
  };

  // One loop over a tile.
  struct Instruction {
    ElementwiseOp op;
    OpFunction function;
    int operand_count;
    std::array<Operand, kMaxOperands> operands;
    std::array<float, 2> parameters;
    int result;  // register
  };

  struct Result {
    ElementType type;
    Operand value;
  };

  absl::Span<const ElementType> input_types() const { return input_types_; }
  absl::Span<const Result> outputs() const { return outputs_; }
  absl::Span<const Instruction> instructions() const { return instructions_; }
  absl::Span<const BroadcastConstant> constants() const { return constants_; }

  // Registers are tiles of floats; the first ones belong to the inputs, one
  // each.
  int register_count() const { return register_count_; }

 private:
  std::vector<ElementType> input_types_;
  std::vector<Result> outputs_;
  std::vector<Instruction> instructions_;
  std::vector<BroadcastConstant> constants_;
  int register_count_ = 0;
};

// Whether elements of a type can be loaded, and stored: boolean, f16, bf16,
// f32, f64 and all integers of whole bytes. Integers beyond 2^24 lose their low
// bits; where results have to be exact integers, don't use a program.
bool IsElementwiseType(ElementType type);

class ElementwiseProgram::Builder {
 public:
  // A number that is known once per element: refers to the builder's list.
  using Value = int;

  // The next input, to be loaded as f32; boolean as 0 or 1.
  Value AddInput(ElementType type);

  // The same number for all elements.
  Value Constant(float value);

  // A computed value; the parameters in the order of the comment on `op`.
  // Mistakes are reported by Build().
  Value Op(ElementwiseOp op, std::initializer_list<Value> operands,
           std::initializer_list<float> parameters = {});
  Value Op(ElementwiseOp op, absl::Span<const Value> operands,
           absl::Span<const float> parameters);

  // The next output. Integer types: towards zero, then to the nearest that the
  // type has (NaN: 0); put kRoundHalfToEven before to quantise. Boolean:
  // whether it is not 0.
  void Output(Value value, ElementType type);

  // Leaves out what no output needs, joins instructions (multiply and add,
  // x * sigmoid(x), powers of constant exponents), and assigns registers.
  // kInvalidArgument: an operation with a wrong number of operands or
  // parameters, a value that does not exist, a type that cannot be loaded or
  // stored. kResourceExhausted: more than kMaxRegisters values are needed at
  // the same time; make two programs of it.
  absl::StatusOr<ElementwiseProgram> Build() &&;

 private:
  struct Node {
    enum class Kind { kInput, kConstant, kOp };
    Kind kind;
    float constant = 0;
    ElementwiseOp op = ElementwiseOp::kCopy;
    std::vector<Value> operands = {};
    std::array<float, 2> parameters = {};
    int uses = 0;
  };
  struct Stored {
    Value value;
    ElementType type;
  };

  absl::Status Check() const;
  absl::Status CheckOp(const Node& node, Value value) const;
  void CountUses();
  void JoinAll();
  void Join(Value value);
  void JoinMultiplyAdd(Node& node);
  void JoinSwish(Node& node);
  void SimplifyPower(Node& node);
  bool IsConstant(Value value, float number) const;

  friend class RegisterAssignment;

  std::vector<Node> nodes_;
  std::vector<ElementType> input_types_;
  std::vector<Stored> outputs_;
  absl::Status status_;
};

// The most registers of a program, inputs included.
inline constexpr int kMaxRegisters = 24;

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_PROGRAM_H_
