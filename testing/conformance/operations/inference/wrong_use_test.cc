// Every operation refuses wrong inputs with an error that names the node, and
// whatever it is given, inference answers.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class WrongUseTest : public CaseFileTest {
 protected:
  // A copy of each case's model for each node of an operation under test.
  struct Subject {
    std::string what;
    std::unique_ptr<Model> model;
    Node* node;
  };

  std::vector<Subject> Subjects() const {
    std::vector<Subject> subjects;
    for (const OperationCase& test_case : Load()) {
      for (size_t i = 0; i < test_case.model->node_count(); ++i) {
        if (!IsUnderTest(*test_case.model->nodes()[i], test_case)) continue;
        std::unique_ptr<Model> copy = test_case.model->Clone();
        Node* node = copy->nodes()[i].get();
        subjects.push_back({test_case.name, std::move(copy), node});
      }
    }
    return subjects;
  }

  // That inferring the node is refused for the right reason.
  static void ExpectRefused(const Subject& subject, const std::string& why) {
    const absl::Status status = subject.node->Infer();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << subject.what << " with " << why << ": " << status;
    EXPECT_TRUE(absl::StartsWith(status.message(), subject.node->Describe()))
        << subject.what << " with " << why << ": " << status;
  }

 private:
  static bool IsUnderTest(const Node& node, const OperationCase& test_case) {
    for (const std::string& operation : test_case.operations) {
      if (operation == node.op().ToString()) return true;
    }
    return false;
  }
};

TEST_P(WrongUseTest, TooFewInputs) {
  for (const Subject& subject : Subjects()) {
    const int needs = subject.node->op().inputs.min;
    if (needs == 0) continue;
    subject.node->TruncateInputs(needs - 1);
    ExpectRefused(subject, "too few inputs");
  }
}

TEST_P(WrongUseTest, TooManyInputs) {
  for (const Subject& subject : Subjects()) {
    const int takes = subject.node->op().inputs.max;
    if (takes >= Arity::kAny || subject.node->input_count() == 0) continue;
    while (subject.node->input_count() <= takes) {
      subject.node->AddInput(subject.node->input(0));
    }
    ExpectRefused(subject, "too many inputs");
  }
}

// Inputs that hardly any operation takes.
std::vector<ParameterAttributes> StrangeInputs() {
  const int64_t huge = int64_t{1} << 62;
  const std::vector<PartialShape> shapes = {
      Shape(),
      {0},
      {0, 0, 0, 0},
      {huge},
      {huge, huge, huge, huge, huge},
      {1, 1, 1, 1, 1, 1, 1, 1, 1},
      {Dimension(0, 1), Dimension(huge, Dimension::kInfinity)},
      PartialShape()};
  std::vector<ParameterAttributes> inputs;
  for (const ElementType type :
       {ElementType::kDynamic, ElementType::kBoolean, ElementType::kI64,
        ElementType::kU4, ElementType::kF32, ElementType::kString}) {
    for (const PartialShape& shape : shapes) {
      ParameterAttributes& attributes = inputs.emplace_back();
      attributes.element_type = type;
      attributes.shape = shape;
    }
  }
  return inputs;
}

TEST_P(WrongUseTest, StrangeInputsAreInferredOrRefused) {
  for (const Subject& subject : Subjects()) {
    Node& node = *subject.node;
    for (const ParameterAttributes& strange : StrangeInputs()) {
      Node* parameter = subject.model->AddUninferred(
          *FindOp("Parameter", 0), {},
          std::make_unique<ParameterAttributes>(strange));
      ASSERT_TRUE(parameter->Infer().ok());
      for (int i = 0; i < node.input_count(); ++i) {
        const Value before = node.input(i);
        node.SetInput(i, parameter->output());
        const std::string why = absl::StrCat(
            "input ", i, ": ", ElementTypeName(strange.element_type),
            strange.shape.ToString());
        if (!node.Infer().ok()) ExpectRefused(subject, why);
        node.SetInput(i, before);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, WrongUseTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
