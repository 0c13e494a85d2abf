// One request gets inputs of different shapes and ranks one after the other.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/text.h"
#include "dovetail/testing/conformance/operations/device/device_cases.h"
#include "dovetail/testing/conformance/operations/variants.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Cases that are the same model once all shapes and constants are inputs.
struct Group {
  std::unique_ptr<Model> model;
  std::vector<OperationCase> cases;
};

class OneRequestTest : public DeviceCasesTest {
 protected:
  // By the text of the model.
  std::map<std::string, Group> LoadGroups() const {
    std::map<std::string, Group> groups;
    for (const OperationCase& test_case : Load()) {
      if (IsRandom(test_case)) continue;
      auto open = WithConstantsAsInputs(test_case);
      EXPECT_TRUE(open.ok()) << test_case.name << ": " << open.status();
      if (!open.ok()) continue;
      auto model = WithShapes(*open->model, UnknownRanks(*open));
      EXPECT_TRUE(model.ok()) << test_case.name << ": " << model.status();
      if (!model.ok()) continue;
      Group& group = groups[ModelText(
          **model, {.max_elements = 1 << 20, .with_names = false})];
      group.model = *std::move(model);
      group.cases.push_back(*std::move(open));
    }
    return groups;
  }

  absl::Status InferAll(const OperationCase& test_case,
                        const CompiledModel& model,
                        InferRequest& request) const {
    DOVETAIL_RETURN_IF_ERROR(request.ResetVariables());
    for (const OperationCase::Inference& inference : test_case.inferences) {
      DOVETAIL_RETURN_IF_ERROR(
          Infer(test_case, inference, model, absl::MakeSpan(&request, 1)));
    }
    return absl::OkStatus();
  }
};

TEST_P(OneRequestTest, TakesAllShapesRanksAndValues) {
  for (auto& [text, group] : LoadGroups()) {
    const auto model = CompileOnOneThread(*group.model);
    if (!model.ok()) {
      Expect(model.status(), group.cases[0]);
      continue;
    }
    auto request = model->NewRequest();
    ASSERT_TRUE(request.ok()) << request.status();
    for (const OperationCase& test_case : group.cases) {
      Expect(InferAll(test_case, *model, *request), test_case);
    }
    // Back again, so that shapes shrink where they grew.
    for (auto it = group.cases.rbegin(); it != group.cases.rend(); ++it) {
      Expect(InferAll(*it, *model, *request), *it);
    }
  }
  SkipIfNoneRan();
}

INSTANTIATE_TEST_SUITE_P(Cases, OneRequestTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
