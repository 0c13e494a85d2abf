// Choice of the primitive that computes a convolution.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_PRIMITIVE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_PRIMITIVE_H_

#include <optional>

#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

struct ConvolutionPrimitive {
  dnnl::primitive_desc_base desc;
  Format source, result;  // of the data and of what the epilogue computes
  Epilogue epilogue;      // what it computes too
  PostOps post_ops;       // the same, lowered
  // Whether oneDNN generates code for it, and not calls general code.
  bool is_generated = false;

  dnnl::memory::desc weights() const {
    return desc.query_md(dnnl::query::weights_md, 0);
  }
};

// The fastest primitive for a problem, with as much of the epilogue, from its
// beginning, as primitives can take. The data is multiplied in `type`, which is
// the problem's own or bf16; the result is stored in `result_type` if the
// epilogue does not say otherwise. Nothing when oneDNN cannot, or only by its
// slow reference code. Throws like all of oneDNN.
std::optional<ConvolutionPrimitive> ChooseConvolutionPrimitive(
    const ConvolutionProblem& problem, ElementType type,
    ElementType result_type, const Epilogue& epilogue,
    const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_PRIMITIVE_H_
