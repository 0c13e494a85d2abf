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

// In f32, and in what the device prefers or DOVETAIL_INFERENCE_PRECISION_HINT
// asks for. One after the other: where both are f32, a device may have the
// kernels still.
TEST_P(OperationsTest, GiveTheExpectedOutputs) {
  for (const OperationCase& test_case : Load()) {
    for (const Floats floats : {Floats::kF32, Floats::kDefault}) {
      SCOPED_TRACE(floats == Floats::kF32 ? "f32" : "the device's precision");
      Expect(Run(test_case, *test_case.model, floats), test_case);
    }
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
