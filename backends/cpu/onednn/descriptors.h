// Tensors as oneDNN describes them.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_DESCRIPTORS_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_DESCRIPTORS_H_

#include <optional>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// The processor; made once.
const dnnl::engine& CpuEngine();

// Nothing for types that oneDNN does not have.
std::optional<dnnl::memory::data_type> OneDnnType(ElementType type);

dnnl::memory::dims OneDnnDims(const Shape& shape);

// A dense tensor; a scalar has one axis. Only for types that OneDnnType knows
// and shapes of at most 12 axes; throws like all of oneDNN.
dnnl::memory::desc Describe(const Shape& shape, const Format& format);
// The same in whatever layout a primitive prefers.
dnnl::memory::desc DescribeAny(const Shape& shape, ElementType type);

// The layout of a described tensor, when it is one of ours.
std::optional<Layout> LayoutOf(const dnnl::memory::desc& desc,
                               const Shape& shape);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_DESCRIPTORS_H_
