// The macros that a custom kernel's source is compiled with.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

// A tensor as a custom kernel gets it: dense, from its buffer's beginning.
struct CustomPort {
  std::string name;  // "INPUT0"
  ElementType type = ElementType::kF32;
  Shape shape;  // at most 4 sizes are told
  CustomFormat format = CustomFormat::kBfyx;
};

// NUM_INPUTS, GLOBAL_WORKSIZE, LOCAL_WORKSIZE and, of each port, <name>_DIMS,
// _TYPE, _FORMAT_*, _LOWER_PADDING, _UPPER_PADDING, _PITCHES and _OFFSET; of
// each array its _SIZE, too. Arrays go by B, F, Y, X whatever the format is.
std::string BuiltInMacros(int inputs, const std::vector<CustomPort>& ports,
                          const std::vector<int64_t>& global,
                          const std::vector<int64_t>& local);

// The kernel's <Define>s, with values from an operation's attributes.
std::string UserMacros(const CustomKernel& kernel,
                       const Attributes& attributes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_
