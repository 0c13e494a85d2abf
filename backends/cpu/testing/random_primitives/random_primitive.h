// Random models of one operation that oneDNN has a primitive for, with what may
// be fused into it and with what reads it in other layouts.
#ifndef DOVETAIL_BACKENDS_CPU_TESTING_RANDOM_PRIMITIVES_RANDOM_PRIMITIVE_H_
#define DOVETAIL_BACKENDS_CPU_TESTING_RANDOM_PRIMITIVES_RANDOM_PRIMITIVE_H_

#include <string>

#include "dovetail/backends/cpu/testing/compare.h"

namespace dovetail::cpu {

struct RandomPrimitive {
  std::string text;  // core/ops/text/parse.h
  CompareOptions options;
  double tolerance = 0;  // of Compared::error
};

// That of a seed: a convolution, dense, of groups or of channels, or a
// transposed one, or a product, of f32, bf16 or bytes; a pooling.
// One to three spatial axes, extents and windows small and large, strides,
// dilations, paddings, one to four threads. bf16 only if `has_bf16`; the rest
// of the model does not depend on it.
RandomPrimitive MakeRandomPrimitive(unsigned seed, bool has_bf16);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TESTING_RANDOM_PRIMITIVES_RANDOM_PRIMITIVE_H_
