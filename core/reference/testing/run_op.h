// Tests of kernels in a few lines:
//
//   const OpTester tester(MovementOps(), MovementKernels());
//
//   TEST(ConcatTest, PutsSideBySide) {
//     EXPECT_EQ(tester.Run("Concat-0", {Floats({1, 2}, {1, 2}),
//                                       Floats({1, 1}, {3})},
//                          {{"axis", "1"}}),
//               "f32[1,3] {1, 2, 3}");
//   }
//
// Texts have elements as Tensor::ToString writes them; compare numbers that
// rounding may change by Outputs and ExpectNear.
#ifndef DOVETAIL_CORE_REFERENCE_TESTING_RUN_OP_H_
#define DOVETAIL_CORE_REFERENCE_TESTING_RUN_OP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/ops/testing/text_attributes.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Tensors of the common types; the number of values must be that of the shape.
Tensor Floats(const Shape& shape, const std::vector<double>& values);
Tensor Int32s(const Shape& shape, const std::vector<double>& values);
Tensor Int64s(const Shape& shape, const std::vector<double>& values);
Tensor Booleans(const Shape& shape, const std::vector<double>& values);
Tensor TensorOf(ElementType type, const Shape& shape,
                const std::vector<double>& values);

class OpTester {
 public:
  // `ops` and `kernels` are the family's tables. `evaluate` runs bodies, for
  // families that have operations with bodies.
  OpTester(absl::Span<const OpInfo> ops, absl::Span<const KernelRow> kernels,
           KernelContext::EvaluateFn evaluate = nullptr)
      : ops_(ops), kernels_(kernels), evaluate_(evaluate) {}

  // The outputs of operation "Softmax-8" for these inputs.
  absl::StatusOr<std::vector<Tensor>> Outputs(
      absl::string_view op, const std::vector<Tensor>& inputs,
      const TextAttributes& attributes = {},
      const KernelEnvironment& environment = {}) const;

  // The outputs as a text, one after the other, separated by "; ". The error's
  // text when there is one.
  std::string Run(absl::string_view op, const std::vector<Tensor>& inputs,
                  const TextAttributes& attributes = {},
                  const KernelEnvironment& environment = {}) const;

 private:
  absl::Span<const OpInfo> ops_;
  absl::Span<const KernelRow> kernels_;
  KernelContext::EvaluateFn evaluate_;
};

// Fails the test unless there is an output number `output` with these elements,
// each within `tolerance` (absolute, and relative to the element).
void ExpectNear(const absl::StatusOr<std::vector<Tensor>>& outputs,
                const std::vector<double>& want, double tolerance = 1e-5,
                int output = 0);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_TESTING_RUN_OP_H_
