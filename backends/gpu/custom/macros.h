// The macros that a custom kernel's source is compiled with.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
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

// The first four sizes as B, F, Y, X; 1 where there is none.
std::array<int64_t, 4> FourDims(const Shape& shape);
// Elements from one to the next along B, F, Y, X in a format.
std::array<int64_t, 4> FormatPitches(const Shape& shape, CustomFormat format);

// NUM_INPUTS, GLOBAL_WORKSIZE, LOCAL_WORKSIZE and, of each port, <name>_DIMS,
// _TYPE, _FORMAT_*, _LOWER_PADDING, _UPPER_PADDING, _PITCHES and _OFFSET; of
// each array its _SIZE and _INIT, too. Arrays go by B, F, Y, X whatever the
// format is; kAny is BFYX.
std::string BuiltInMacros(int inputs, const std::vector<CustomPort>& ports,
                          const std::vector<int64_t>& global,
                          const std::vector<int64_t>& local);

// The kernel's <Define>s, with values from an operation's attributes.
std::string UserMacros(const CustomKernel& kernel,
                       const Attributes& attributes);

// Half precision as float, which is what the device has in its place: for
// sources that say "half".
absl::string_view HalfAsFloat();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_MACROS_H_
