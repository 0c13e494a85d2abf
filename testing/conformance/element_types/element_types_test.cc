// Whether rows of the table of operations tell the truth of element types: a
// case of the operation is computed in every type of its row by the reference
// kernel, and no other type passes inference.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/tensor/types/element_type_set.h"
#include "dovetail/testing/conformance/element_types/retype.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// One node of a case with the tensors that it reads there.
struct Subject {
  std::string name;  // of the case
  std::unique_ptr<Model> model;
  Node* node;
  size_t index;  // of the node
  std::vector<Tensor> inputs;
  ElementType type;  // of what the row speaks of
  VariableValues variables;
};

absl::StatusOr<std::vector<Tensor>> Run(const Node& node,
                                        const std::vector<Tensor>& inputs,
                                        VariableValues variables) {
  if (node.Is("Parameter")) return inputs;  // has nothing to run
  KernelEnvironment environment;
  environment.variables = &variables;
  return EvaluateNode(node, inputs, environment);
}

// The node number `index` of a case's model, after the case's model has run up
// to it.
absl::StatusOr<Subject> MakeSubject(const OperationCase& test_case,
                                    size_t index) {
  Subject subject;
  subject.name = test_case.name;
  subject.model = test_case.model->Clone();
  subject.node = subject.model->nodes()[index].get();
  subject.index = index;
  const size_t results = subject.model->results().size();
  for (int i = 0; i < subject.node->input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        AddResult(*subject.model, subject.node->input(i)).status());
  }
  KernelEnvironment environment;
  environment.variables = &subject.variables;
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> tensors,
      EvaluateModel(*subject.model, test_case.inferences[0].inputs,
                    environment));
  subject.inputs.assign(tensors.begin() + results, tensors.end());
  const int input = subject.node->op().types.input;
  subject.type =
      input >= 0 ? subject.inputs[input].type() : subject.node->port(0).type;
  return subject;
}

// Which inputs may go along when the type changes: those of the same type.
std::vector<int> Companions(const Subject& subject) {
  std::vector<int> companions;
  for (size_t i = 0; i < subject.inputs.size(); ++i) {
    if (static_cast<int>(i) != subject.node->op().types.input &&
        subject.inputs[i].type() == subject.type) {
      companions.push_back(static_cast<int>(i));
    }
  }
  return companions;
}

// Runs the node in `type`, together with the companions whose bit is set in
// `along`, and with the attributes that name the type. kNotFound when nothing
// of that changes.
absl::Status RunIn(const Subject& subject, ElementType type, unsigned along,
                   bool with_attributes) {
  const std::vector<int> companions = Companions(subject);
  std::vector<Tensor> inputs = subject.inputs;
  bool changed = type == subject.type;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto at = std::find(companions.begin(), companions.end(), i);
    const bool goes_along =
        at != companions.end() && (along >> (at - companions.begin()) & 1);
    if (static_cast<int>(i) != subject.node->op().types.input && !goes_along) {
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(inputs[i], Retyped(inputs[i], type));
    changed = true;
  }
  std::unique_ptr<Model> model = subject.model->Clone();
  Node& node = *model->nodes()[subject.index];
  VariableValues variables = subject.variables;
  if (with_attributes) {
    DOVETAIL_RETURN_IF_ERROR(RetypeAttributes(node, subject.type, type));
    changed = changed || !node.bodies().empty() ||
              !Equal(node.attributes(), subject.node->attributes());
    variables.clear();
  }
  if (!changed) return NotFound("nothing is of the type");
  return Run(node, inputs, variables).status();
}

// OK when there is a way to run the node in `type`; else an error of one way,
// rather one that tells of a lack.
absl::Status RunSomehowIn(const Subject& subject, ElementType type) {
  const unsigned ways = 1u << std::min<size_t>(Companions(subject).size(), 6);
  absl::Status answer = InvalidArgument("there is no way");
  for (unsigned kept = 0; kept < ways; ++kept) {
    for (const bool with_attributes : {false, true}) {
      if (!with_attributes && subject.node->op().types.input < 0) continue;
      const absl::Status status =
          RunIn(subject, type, ~kept & (ways - 1), with_attributes);
      if (status.ok()) return status;
      if (absl::IsNotFound(status)) continue;
      if (kept == 0 || absl::IsUnimplemented(status)) answer = status;
    }
  }
  return answer;
}

class ElementTypesTest : public CaseFileTest {
 protected:
  // Some subjects of every row that the test's file has cases of.
  std::vector<std::vector<Subject>> Subjects() const {
    constexpr size_t kEnough = 5;
    std::vector<std::vector<Subject>> rows;
    for (const OperationCase& test_case : Load()) {
      for (size_t i = 0; i < test_case.model->nodes().size(); ++i) {
        const OpInfo& row = test_case.model->nodes()[i]->op();
        if (!IsUnderTest(row, test_case)) continue;
        auto known = std::find_if(rows.begin(), rows.end(), [&](auto& some) {
          return some[0].node->op() == row;
        });
        if (known != rows.end() && known->size() >= kEnough) continue;
        absl::StatusOr<Subject> subject = MakeSubject(test_case, i);
        EXPECT_TRUE(subject.ok()) << test_case.name << subject.status();
        if (!subject.ok()) continue;
        if (known == rows.end()) known = rows.emplace(rows.end());
        known->push_back(*std::move(subject));
      }
    }
    return rows;
  }

 private:
  static bool IsUnderTest(const OpInfo& row, const OperationCase& test_case) {
    return std::find(test_case.operations.begin(), test_case.operations.end(),
                     row.ToString()) != test_case.operations.end();
  }
};

TEST_P(ElementTypesTest, RunsInEveryTypeOfTheRow) {
  for (const std::vector<Subject>& subjects : Subjects()) {
    const OpInfo& row = subjects[0].node->op();
    EXPECT_FALSE(row.types.allowed.empty()) << row.ToString();
    ElementTypeSet ran;
    for (ElementType type : row.types.allowed.types()) {
      absl::Status status;
      for (const Subject& subject : subjects) {
        status = RunSomehowIn(subject, type);
        if (status.ok()) break;
      }
      if (status.ok()) ran = ran | ElementTypeSet{type};
      // What operations a body has take is not up to what it is a body of.
      if (row.Has(kHasBodies) && !absl::IsUnimplemented(status)) continue;
      EXPECT_TRUE(status.ok()) << row.ToString() << " in "
                               << ElementTypeName(type) << ": " << status;
    }
    EXPECT_EQ(kFloatTypes & row.types.allowed, kFloatTypes & ran)
        << row.ToString();
  }
}

TEST_P(ElementTypesTest, RefusesAllOthers) {
  for (const std::vector<Subject>& subjects : Subjects()) {
    const Subject& subject = subjects[0];
    const OpInfo& row = subject.node->op();
    for (ElementType type : (kAllTypes - row.types.allowed).types()) {
      EXPECT_TRUE(absl::IsInvalidArgument(RunSomehowIn(subject, type)))
          << row.ToString() << " in " << ElementTypeName(type) << ": "
          << RunSomehowIn(subject, type);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementTypesTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
