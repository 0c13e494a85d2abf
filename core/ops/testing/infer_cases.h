// Tables of inferences: what comes out of many inputs, or what is wrong.
#ifndef DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_
#define DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_

#include <string>
#include <vector>

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

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TESTING_INFER_CASES_H_
