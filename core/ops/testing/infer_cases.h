// Tables of inferences: what comes out of many inputs, or what is wrong.
#ifndef DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_
#define DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/ops/testing/infer.h"

namespace dovetail {

// One inference: the operation, its inputs and attributes, what comes out.
struct InferCase {
  std::string op;
  std::vector<InputSpec> inputs;
  TextAttributes attributes;
  std::string want;
};

// Each case's outputs, as InferTester::Shapes gives them, are `want`.
void ExpectShapes(const InferTester& tester,
                  const std::vector<InferCase>& cases);
// Each case is an error whose text has `want` in it.
void ExpectErrors(const InferTester& tester,
                  const std::vector<InferCase>& cases);

// An object of it, anywhere in the tests of a family, makes them fail when they
// are all run and a row of the family's table has not been inferred with static
// shapes, not with dynamic ones, or was never refused.
class EveryRowIsInferred {
 public:
  explicit EveryRowIsInferred(absl::Span<const OpInfo> ops);
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_
