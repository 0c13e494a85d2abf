// What is left of all operations when everything that can be replaced is: the
// kernels that a backend cannot do without.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/upgrade/upgrade.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// With what a model and its control flow consist of, which no device computes.
constexpr char kPrimitives[] = R"(
    Constant-0 Parameter-0 Result-0 If-8 Loop-5 TensorIterator-0
    Assign-6 ReadValue-6 StringTensorPack-15 StringTensorUnpack-15

    Abs-0 Acos-0 Acosh-3 Asin-0 Asinh-3 Atan-0 Atanh-3 Cos-0 Erf-0 ErfInv-17
    Exp-0 Floor-0 Log-0 Round-5 Sin-0 Sinh-0 Sqrt-0 Tanh-0
    Add-1 Divide-1 Maximum-1 Minimum-1 Mod-1 Multiply-1 Power-1 Subtract-1
    Equal-1 Less-1 LessEqual-1 LogicalAnd-1 LogicalNot-1 LogicalOr-1
    BitwiseAnd-13 BitwiseLeftShift-15 BitwiseOr-13 BitwiseRightShift-15
    BitwiseXor-13 Convert-0 Select-1

    ReduceMax-1 ReduceMin-1 ReduceProd-1 ReduceSum-1 CumSum-0
    MatMul-0 GroupConvolution-1 GroupConvolutionBackpropData-1
    BinaryConvolution-1 Inverse-14 AvgPool-16 MaxPool-14 AdaptiveMaxPool-8

    Broadcast-3 Concat-0 Gather-8 NonZero-3 Pad-12 Range-4 Reshape-1
    ScatterElementsUpdate-12 ScatterNDUpdate-15 ShapeOf-3 Slice-8
    SparseFillEmptyRows-16 Squeeze-15 TopK-11 Transpose-1 Unique-10

    CTCLoss-4 Multinomial-13 RandomUniform-8
    DetectionOutput-8 ExperimentalDetectronDetectionOutput-6
    ExperimentalDetectronGenerateProposalsSingleImage-6 GenerateProposals-9
    MatrixNms-8 MulticlassNms-9 NMSRotated-13 NonMaxSuppression-9 PriorBox-8
    PriorBoxClustered-0 Proposal-4 ROIAlign-9 ROIAlignRotated-15 ROIPooling-0
)";

std::set<std::string> Words(absl::string_view text) {
  std::set<std::string> words;
  for (absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    words.emplace(word);
  }
  return words;
}

void Collect(const Model& model, std::set<std::string>& operations) {
  for (const auto& node : model.nodes()) {
    operations.insert(node->op().ToString());
    for (const auto& body : node->bodies()) Collect(*body->model, operations);
  }
}

// Of the conformance cases, which use every operation.
std::set<std::string> OperationsLeft() {
  std::set<std::string> left;
  for (const std::string& file : OperationCaseFiles()) {
    const auto cases = LoadOperationCases(file);
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok()) continue;
    for (const OperationCase& each : *cases) {
      EXPECT_TRUE(Upgrade().Run(*each.model).ok()) << each.name;
      EXPECT_TRUE(Decompose(IsNone).Run(*each.model).ok()) << each.name;
      each.model->RemoveUnused();
      Collect(*each.model, left);
    }
  }
  return left;
}

TEST(PrimitivesTest, NoOthersAreNeeded) {
  const std::set<std::string> left = OperationsLeft();
  const std::set<std::string> primitives = Words(kPrimitives);
  std::vector<std::string> others;
  std::set_difference(left.begin(), left.end(), primitives.begin(),
                      primitives.end(), std::back_inserter(others));
  EXPECT_TRUE(others.empty()) << absl::StrJoin(others, " ");
  RecordProperty("operations_left", static_cast<int>(left.size()));
  EXPECT_LE(left.size(), 95u);
}

TEST(PrimitivesTest, AreOperations) {
  std::set<std::string> all;
  for (const OpInfo* op : AllOps()) all.insert(op->ToString());
  for (const std::string& name : Words(kPrimitives)) {
    EXPECT_EQ(all.count(name), 1u) << name;
  }
}

TEST(DecompositionsTest, EveryRuleIsForARow) {
  for (const NodeRule& rule : Decompositions().all()) {
    const OpInfo* op = rule.version == NodeRule::kAnyVersion
                           ? FindLatestOp(rule.type)
                           : FindOp(rule.type, rule.version);
    EXPECT_NE(op, nullptr) << rule.type << "-" << rule.version;
    EXPECT_FALSE(rule.formula.empty()) << rule.type;
  }
}

}  // namespace
}  // namespace dovetail
