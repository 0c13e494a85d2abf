// Chains of elementwise operations that are evaluated in one sweep over memory.
//
// A program is a list of instructions on f32 numbers. It is run on tiles of
// some hundred elements: each instruction is a loop over a tile, and what is
// between two instructions stays in the L1 cache. Inputs of other
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

#include <initializer_list>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"
#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"
#include "dovetail/backends/cpu/kernels/elementwise/register_assignment.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Immutable, and so may be run by several threads at once. Default constructed
// it has no outputs and does nothing.
class ElementwiseProgram {
 public:
  class Builder;

  using Operand = ElementwiseOperand;
  using Instruction = ElementwiseInstruction;
  using Result = ElementwiseResult;

  absl::Span<const ElementwiseInput> inputs() const { return inputs_; }
  absl::Span<const Result> outputs() const { return outputs_; }
  absl::Span<const Instruction> instructions() const { return instructions_; }
  absl::Span<const BroadcastConstant> constants() const { return constants_; }

  // Registers are tiles of floats; the first ones belong to the inputs, one
  // each.
  int register_count() const { return register_count_; }

 private:
  std::vector<ElementwiseInput> inputs_;
  std::vector<Result> outputs_;
  std::vector<Instruction> instructions_;
  std::vector<BroadcastConstant> constants_;
  int register_count_ = 0;
};

class ElementwiseProgram::Builder {
 public:
  // A number that is known once per element: refers to the builder's list.
  using Value = int;

  // The next input, of a type that IsConvertible (common/convert.h), to be
  // loaded as f32; boolean as 0 or 1. Integers beyond 2^24 lose their low bits:
  // where results have to be exact integers, use no program.
  Value AddInput(ElementType type);

  // The same number for all elements.
  Value Constant(float value);

  // A computed value; the parameters in the order of the comment on `op`.
  // Mistakes are reported by Build().
  Value Op(ElementwiseOp op, std::initializer_list<Value> operands,
           std::initializer_list<float> parameters = {});
  Value Op(ElementwiseOp op, absl::Span<const Value> operands,
           absl::Span<const float> parameters);

  // The next output, converted as the operation Convert does: towards zero,
  // and what does not fit an integer wraps; boolean: whether it is not 0. To
  // quantize, put kRoundHalfToEven and kClamp before.
  void Output(Value value, ElementType type);

  // Leaves out what no output needs, joins instructions (multiply and add,
  // subtract and multiply, x * sigmoid(x), powers of constant exponents), and
  // assigns registers.
  // kInvalidArgument: an operation with a wrong number of operands or
  // parameters, a value that does not exist, a type that cannot be loaded or
  // stored. kResourceExhausted: more than kMaxRegisters values are needed at
  // the same time; make two programs of it.
  absl::StatusOr<ElementwiseProgram> Build() &&;

 private:
  absl::Status CheckValue(Value value) const;
  absl::Status CheckOp(ElementwiseOp op, absl::Span<const Value> operands,
                       absl::Span<const float> parameters) const;

  std::vector<ElementwiseNode> nodes_;
  std::vector<ElementwiseInput> inputs_;
  std::vector<StoredValue> outputs_;
  absl::Status status_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_ELEMENTWISE_PROGRAM_H_
