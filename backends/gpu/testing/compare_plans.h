// Tests of emitters: what a plan computes against the reference kernels.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_COMPARE_PLANS_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_COMPARE_PLANS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::gpu {

struct ComparedPlan {
  // What is wrong, or differs; empty: nothing.
  std::string message;
  // Of all steps, in order: "pad_f32, reorder, convolution_direct_f32".
  std::string kernels;
};

// Whether there is a device; tests skip where there is none.
bool HasClDevice();

// Compiles a model in text form (core/ops/text/parse.h) with constants as in
// random_model.h for work items of so many lanes, and compares what it gives
// for random inputs with what the reference kernels do.
ComparedPlan ComparePlan(absl::string_view model, int lanes = 16,
                         double tolerance = 2e-5);

// The same with floats that are stored as f16.
ComparedPlan CompareHalfPlan(absl::string_view model, int lanes,
                             double tolerance);

// The kernels of a model whose results are within 1e-5 of the reference's, or
// else what is wrong. Reorders are left out. A Clamp, which may not change
// anything, stands for an operation that stores its output in blocks of 16
// channels.
std::string KernelsIfRight(absl::string_view model, int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_COMPARE_PLANS_H_
