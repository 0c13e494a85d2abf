// Tests of emitters: what a plan computes against the reference kernels.
//
//   TEST(ReluTest, IsFused) {
//     const Compared compared = Compare(R"(
//       %x = Parameter-0() {shape: [1,3,8,8], element_type: f32}
//       %w = Parameter-0() {shape: [4,3,3,3], element_type: f32}  # constant
//       …)");
//     EXPECT_LT(compared.error, 1e-5) << compared.message;
//     EXPECT_EQ(compared.steps, "Convolution+1");
//   }
#ifndef DOVETAIL_BACKENDS_CPU_TESTING_COMPARE_H_
#define DOVETAIL_BACKENDS_CPU_TESTING_COMPARE_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/backends/common/compiler/plan.h"

namespace dovetail::cpu {

struct Compared {
  // Why there is nothing to compare; empty: there is.
  std::string message;
  // The greatest difference of elements, as a part of the greatest element of
  // its output (or of 1, if that is less); infinite for what is no number on
  // one side only, and with a message.
  double error = 0;
  // Types of the steps without reorders, with the number of nodes that went
  // into each: "Convolution+2, MaxPool".
  std::string steps;
  int reorders = 0;
  // What ran the first step of that type; empty: there is none.
  std::string KernelOf(absl::string_view type) const;

  std::shared_ptr<const Plan> plan;
};

struct CompareOptions {
  CompileSettings settings;
  unsigned seed = 1;
};

// Compiles a model in text form (core/ops/text/parse.h) and runs it once, and
// once more by the reference kernels, on random inputs: floats from -2 to 2,
// integers of all values of their type up to 8 bits, else small ones.
// Parameters with a friendly name that begins with "constant" become constants
// with such values before; those named "constant_small" have small ones, and
// those named "constant_read_only" are as those of a file, see random_model.h.
Compared Compare(absl::string_view model, const CompareOptions& options = {});

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TESTING_COMPARE_H_
