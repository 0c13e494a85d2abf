// Tests of inference in a few lines:
//
//   const InferTester tester(MovementOps());
//
//   TEST(ConcatTest, AddsUp) {
//     EXPECT_EQ(tester.Shapes("Concat-0", {F32({1, 2}), F32({1, -1})},
//                             {{"axis", "1"}}),
//               "f32[1,2..]");
//     EXPECT_THAT(tester.Error("Concat-0", {F32({1}), I64({2})}, {}),
//                 testing::HasSubstr("input 1 has type i64"));
//   }
#ifndef DOVETAIL_CORE_OPS_TESTING_INFER_H_
#define DOVETAIL_CORE_OPS_TESTING_INFER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/testing/text_attributes.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// An input of the node under test: a parameter, or a constant when it has a
// tensor.
struct InputSpec {
  ElementType type;
  PartialShape shape;
  std::optional<Tensor> value;
};

// Parameters of the common types. A scalar is Shape(); {} is any rank.
InputSpec F32(PartialShape shape);
InputSpec I32(PartialShape shape);
InputSpec I64(PartialShape shape);
InputSpec Boolean(PartialShape shape);
InputSpec Typed(ElementType type, PartialShape shape);
// Constants: a vector, a scalar, any shape.
InputSpec Ints(const std::vector<int64_t>& values);  // i64
InputSpec Int(int64_t value);
InputSpec ConstantOf(ElementType type, const Shape& shape,
                     const std::vector<double>& values);

class InferTester {
 public:
  // `ops` is the family's table, such as MovementOps().
  explicit InferTester(absl::Span<const OpInfo> ops) : ops_(ops) {}

  // The outputs of operation "Softmax-8" for these inputs.
  absl::StatusOr<std::vector<InferredOutput>> Infer(
      absl::string_view op, const std::vector<InputSpec>& inputs,
      const TextAttributes& attributes = {}) const;

  // The outputs' types and shapes, "f32[1,2..] i64[?]"; the error's text when
  // there is one.
  std::string Shapes(absl::string_view op,
                     const std::vector<InputSpec>& inputs,
                     const TextAttributes& attributes = {}) const;
  // What is known of the elements of output 0: "1, 2..3, ?"; "unknown" when
  // nothing is; the error's text when there is one.
  std::string Values(absl::string_view op,
                     const std::vector<InputSpec>& inputs,
                     const TextAttributes& attributes = {}) const;
  // The error's text; "no error" when there is none.
  std::string Error(absl::string_view op, const std::vector<InputSpec>& inputs,
                    const TextAttributes& attributes = {}) const;

 private:
  absl::Span<const OpInfo> ops_;
};

// What has been asked of an operation in this process, by all testers.
struct InferencesSoFar {
  bool with_static_shapes = false;   // and succeeded
  bool with_dynamic_shapes = false;  // and succeeded
  bool refused = false;
};
InferencesSoFar InferencesOf(absl::string_view op);

// Adds a parameter or constant for `spec` to the model.
absl::StatusOr<Value> AddInput(Model& model, const InputSpec& spec);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TESTING_INFER_H_
