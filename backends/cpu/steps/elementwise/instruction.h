// Nodes as instructions of elementwise programs.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_INSTRUCTION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_INSTRUCTION_H_

#include <vector>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::cpu {

// The operations that programs have instructions for.
std::vector<OpType> InstructionTypes();

// Whether a program computes the node as its reference kernel does. Numbers are
// f32 in programs, so integers wider than 16 bits may be converted to and from
// floats, but not computed with.
bool IsInstruction(const Node& node);

// Whether nodes of its type may be, where they compute floats of floats. Shapes
// need not be known.
bool ComputesByElement(const Node& node);

// How many of the node's first inputs are operands; those after them are
// constants that became parameters.
int OperandsOf(const Node& node);

// Whether what the node computes may be used within the program: not so what
// has been converted to an integer, which happens when it is stored.
bool MayBeUsedWithin(const Node& node);

// The shape under which input i broadcasts to the node's output by the rules of
// NumPy.
Shape AlignedShape(const Node& node, int i);

// Adds the node's instruction; `operands` are as many as OperandsOf.
ElementwiseProgram::Builder::Value AddInstruction(
    const Node& node, absl::Span<const int> operands,
    ElementwiseProgram::Builder& program);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_INSTRUCTION_H_
