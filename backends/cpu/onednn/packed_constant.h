// Constants in the layouts that primitives prefer.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_PACKED_CONSTANT_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_PACKED_CONSTANT_H_

#include <functional>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// The constant in the layout `to`, which a primitive prefers: packed once for
// all plans that use it, when the plan is finished, a large one by several
// threads. `from` describes `tensor` as it is now (it may be another view of
// it, with groups or transposed) and may have another type. Throws like all of
// oneDNN.
absl::StatusOr<Operand> PackConstant(PlanBuilder& builder, const Tensor& tensor,
                                     const dnnl::memory::desc& from,
                                     const dnnl::memory::desc& to);

// The same of a value that is computed from constants: what `key` says, without
// the form that it is packed to, and `compute` gives, which may be called after
// the builder is gone.
absl::StatusOr<Operand> PackComputed(
    PlanBuilder& builder, PackingKey key,
    std::function<absl::StatusOr<Tensor>()> compute,
    const dnnl::memory::desc& from, const dnnl::memory::desc& to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_PACKED_CONSTANT_H_
