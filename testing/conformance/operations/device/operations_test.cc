// Every case of every operation on the device under test.

#include <memory>
#include <string>
#include <vector>

#include "dovetail/testing/conformance/operations/device/device_cases.h"
#include "dovetail/testing/conformance/operations/variants.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class OperationsTest : public DeviceCasesTest {};

TEST_P(OperationsTest, GiveTheExpectedOutputs) {
  for (const OperationCase& test_case : Load()) {
    Expect(Run(test_case, *test_case.model), test_case);
  }
  SkipIfNoneRan();
}

// Or in what DOVETAIL_INFERENCE_PRECISION_HINT asks for.
TEST_P(OperationsTest, DoSoInThePrecisionOfTheDevice) {
  for (const OperationCase& test_case : Load()) {
    Expect(Run(test_case, *test_case.model, Floats::kDefault), test_case);
  }
  SkipIfNoneRan();
}

TEST_P(OperationsTest, DoSoWhenExtentsAreNotKnownBefore) {
  for (const OperationCase& test_case : Load()) {
    const auto model = WithShapes(*test_case.model, UnknownExtents(test_case));
    ASSERT_TRUE(model.ok()) << test_case.name << ": " << model.status();
    Expect(Run(test_case, **model), test_case);
  }
  SkipIfNoneRan();
}

INSTANTIATE_TEST_SUITE_P(Cases, OperationsTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
