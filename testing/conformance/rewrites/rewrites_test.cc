// Upgrades and decompositions on the conformance cases: what the operations
// have been replaced by gives the expected outputs, too, whether shapes and
// constants are known when they are replaced or not.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"
#include "dovetail/testing/conformance/operations/variants.h"
#include "dovetail/tools/conformance/compare/compare.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/upgrade/upgrade.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::StatusOr<bool> Rewrite(Model& model) {
  PassManager passes("rewrites");
  passes.set_checks(true);
  passes.Add<Upgrade>();
  passes.Add<Decompose>(IsNone);
  return passes.Run(model);
}

// Steps of arithmetic are each rounded to the type of the data.
double RoundingOf(ElementType type) {
  switch (type) {
    case ElementType::kF16: return 4e-3;
    case ElementType::kBf16: return 4e-2;
    default: return 1e-5;
  }
}

// What the rounding of a model's narrowest float amounts to.
double RoundingOf(const Model& model) {
  double rounding = 1e-5;
  for (const auto& node : model.nodes()) {
    for (int i = 0; i < node->output_count(); ++i) {
      rounding = std::max(rounding, RoundingOf(node->port(i).type));
    }
  }
  return rounding;
}

absl::Status Compare(const OperationCase& test_case, const Model& model,
                     const OperationCase::Inference& inference,
                     VariableValues& variables) {
  KernelEnvironment environment;
  environment.variables = &variables;
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> outputs,
      EvaluateModel(model, inference.inputs, environment));
  const double rounding = RoundingOf(*test_case.model);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool is_float = IsFloat(outputs[i].type());
    const conformance::Tolerance tolerance = {
        .absolute = std::max(test_case.absolute, is_float ? rounding : 0),
        .relative = std::max(test_case.relative, is_float ? rounding : 0)};
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(conformance::CompareOutput(outputs[i], inference.outputs[i],
                                            tolerance),
                 absl::StrCat("output ", i)));
  }
  return absl::OkStatus();
}

class RewritesTest : public CaseFileTest {
 protected:
  // Rewrites the model and, when that has changed it, runs it.
  static void Check(const OperationCase& test_case, const Model& given,
                    absl::string_view what) {
    SCOPED_TRACE(absl::StrCat(test_case.name, what));
    const std::unique_ptr<Model> model = given.Clone();
    const auto changed = Rewrite(*model);
    ASSERT_TRUE(changed.ok()) << changed.status();
    if (!*changed || IsRandom(test_case)) return;
    VariableValues variables;
    for (const OperationCase::Inference& inference : test_case.inferences) {
      const absl::Status status =
          Compare(test_case, *model, inference, variables);
      ASSERT_TRUE(status.ok()) << status << "\n" << model->ToString();
    }
  }
};

TEST_P(RewritesTest, OfKnownShapes) {
  for (const OperationCase& test_case : Load()) {
    Check(test_case, *test_case.model, "");
  }
}

TEST_P(RewritesTest, OfUnknownShapes) {
  for (const OperationCase& test_case : Load()) {
    for (const auto& shapes :
         {UnknownExtents(test_case), UnknownRanks(test_case)}) {
      const auto model = WithShapes(*test_case.model, shapes);
      if (!model.ok()) continue;  // inference tests look at these
      Check(test_case, **model, ", little known of inputs");
    }
  }
}

TEST_P(RewritesTest, OfUnknownConstants) {
  for (const OperationCase& test_case : Load()) {
    const auto variant = WithConstantsAsInputs(test_case);
    if (!variant.ok()) continue;
    Check(*variant, *variant->model, ", constants as inputs");
  }
}

INSTANTIATE_TEST_SUITE_P(All, RewritesTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
