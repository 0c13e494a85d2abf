// A step that runs one primitive of oneDNN.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_PRIMITIVE_STEP_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_PRIMITIVE_STEP_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// A tensor that a primitive reads or writes: the number by which oneDNN calls
// it (DNNL_ARG_SRC, …), how it lies in memory, and what it is in the plan.
struct PrimitiveOperand {
  int argument;
  dnnl::memory::desc desc;
  Operand operand;
};

// Adds a step for `node` that runs the primitive of `desc`, which has to have
// been made with a scratchpad of the user's (see ScratchpadAttr). Its code is
// generated when the plan is finished, in parallel with that of others. Throws
// like all of oneDNN, so call it within Guarded.
void AddPrimitive(const Node& node, PlanBuilder& builder,
                  const dnnl::primitive_desc_base& desc,
                  std::vector<PrimitiveOperand> inputs,
                  std::vector<PrimitiveOperand> outputs);

// The same for a primitive with a post-operation sum, whose first output is
// added to `initial`, of the same format: it lies where the output does if
// nobody needs it afterwards, else it is copied there.
void AddAccumulating(const Node& node, PlanBuilder& builder,
                     const dnnl::primitive_desc_base& desc,
                     std::vector<PrimitiveOperand> inputs,
                     std::vector<PrimitiveOperand> outputs,
                     const Operand& initial);

// Attributes with scratchpad_mode::user, to which post-operations are added.
dnnl::primitive_attr ScratchpadAttr();

// "onednn_jit:avx2", for profiles.
std::string KernelName(const dnnl::primitive_desc_base& desc);

// MakeReorderFn of oneDNN; kUnimplemented for types that it does not have.
absl::StatusOr<std::unique_ptr<Step>> MakeOneDnnReorder(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_PRIMITIVE_STEP_H_
