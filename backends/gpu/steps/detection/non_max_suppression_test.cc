// Suppression in all its forms, beside the reference.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

// A program that has run.
class Ran {
 public:
  absl::Status Run(const std::shared_ptr<const Model>& model,
                   const std::vector<Tensor>& inputs, int lanes) {
    CompileSettings settings;
    DOVETAIL_ASSIGN_OR_RETURN(const auto devices, ListClDevices());
    settings.device = devices.front();
    settings.lanes = LaneModelOf(settings.device->traits());
    settings.lanes.lanes = lanes;
    WorkTeam team(1);
    DOVETAIL_ASSIGN_OR_RETURN(
        program_, dovetail::Program::Create(
                      model, GpuPlanCompiler::Create(settings, &Emit), team));
    const KernelEnvironment reference;
    RunEnvironment environment(&team, &reference);
    const auto place = [&](int i, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      outputs.resize(std::max<size_t>(outputs.size(), i + 1));
      DOVETAIL_ASSIGN_OR_RETURN(outputs[i], Tensor::Allocate(type, shape));
      return outputs[i];
    };
    ProgramState state;
    // Twice, as memory holds what the first run left.
    for (int run = 0; run < 2; ++run) {
      DOVETAIL_RETURN_IF_ERROR(
          program_->Run(inputs, place, state, environment));
    }
    return absl::OkStatus();
  }

  // What the part that comes first has for a node; empty: it has none.
  std::string KernelOf(const Node& node) const {
    const auto specialized = program_->Last();
    if (specialized == nullptr || specialized->plan == nullptr) return "";
    const auto info = specialized->plan->Describe(node);
    return info.has_value() ? info->kernel : "";
  }

  std::vector<Tensor> outputs;

 private:
  std::unique_ptr<dovetail::Program> program_;
};

// What is wrong with a model, or the kernel of its node %n.
absl::StatusOr<std::string> KernelOrDifference(const std::string& text,
                                               int lanes) {
  DOVETAIL_ASSIGN_OR_RETURN(Model parsed, ParseWithConstants(text));
  const auto model = std::make_shared<const Model>(std::move(parsed));
  std::vector<Shape> shapes;
  for (const Node* parameter : model->parameters()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              parameter->port().shape.ToShape());
    shapes.push_back(shape);
  }
  const std::vector<Tensor> inputs = RandomInputs(*model, shapes, 1);
  Ran ran;
  DOVETAIL_RETURN_IF_ERROR(ran.Run(model, inputs, lanes));
  DOVETAIL_ASSIGN_OR_RETURN(const auto want, EvaluateModel(*model, inputs, {}));
  const std::string difference = FirstDifference(ran.outputs, want, 1e-5);
  if (!difference.empty()) return difference;
  for (const auto& node : model->nodes()) {
    if (node->Is("NonMaxSuppression")) return ran.KernelOf(*node);
  }
  return std::string("no suppression");
}

class SuppressionTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // Of 2 images, 3 classes and 40 boxes, with scores of few values, so that
  // some are equal. `limits` are statements of constants %m, %o, %s and %g.
  static std::string Text(const std::string& limits,
                          const std::string& suppression, int outputs) {
    std::string text = absl::StrCat(R"(
      %boxes = Parameter-0() {shape: [2,40,4], element_type: f32}
      %raw = Parameter-0() {shape: [2,3,40], element_type: f32}
      %eight = Constant-0() {value: f32[] {8}}
      %times = Multiply-1(%raw, %eight) {}
      %scores = Round-5(%times) {mode: half_to_even}
      )",
                                    limits, "\n%n = ", suppression, "\n");
    for (int i = 0; i < outputs; ++i) {
      absl::StrAppend(&text, "%r", i, " = Result-0(%n:", i, ") {}\n");
    }
    return text;
  }

  static void Expect(const std::string& text, const std::string& kernel) {
    const auto got = KernelOrDifference(text, GetParam());
    ASSERT_TRUE(got.ok()) << got.status() << text;
    EXPECT_EQ(*got, kernel) << text;
  }
};

INSTANTIATE_TEST_SUITE_P(Devices, SuppressionTest, testing::Values(16, 4, 1));

std::string Limits(const std::string& most, const std::string& overlap,
                   const std::string& score, const std::string& sigma = "0") {
  return absl::Substitute(R"(
      %m = Constant-0() {value: i64[] {$0}}
      %o = Constant-0() {value: f32[] {$1}}
      %s = Constant-0() {value: f32[1] {$2}}
      %g = Constant-0() {value: f32[] {$3}})",
                          most, overlap, score, sigma);
}

TEST_P(SuppressionTest, BoxesOfBothEncodingsInBothOrders) {
  for (const std::string encoding : {"corner", "center"}) {
    for (const std::string sorts : {"true", "false"}) {
      Expect(Text(Limits("20", "0.2", "-3"),
                  absl::StrCat("NonMaxSuppression-9(%boxes, %scores, %m, %o, "
                               "%s) {box_encoding: ",
                               encoding, ", sort_result_descending: ", sorts,
                               ", output_type: i32}"),
                  3),
             sorts == "true" ? "sort_boxes" : "gather_boxes");
    }
  }
}

TEST_P(SuppressionTest, AllVersions) {
  Expect(Text(Limits("7", "0.1", "0"),
              "NonMaxSuppression-1(%boxes, %scores, %m, %o, %s) "
              "{box_encoding: corner, sort_result_descending: true}",
              1),
         "sort_boxes");
  for (const int version : {3, 4, 5, 9}) {
    Expect(Text(Limits("7", "0.1", "0"),
                absl::StrCat("NonMaxSuppression-", version,
                             "(%boxes, %scores, %m, %o, %s) {box_encoding: "
                             "center, sort_result_descending: true, "
                             "output_type: i64}"),
                version < 5 ? 1 : 3),
           "sort_boxes");
  }
}

TEST_P(SuppressionTest, ScoresFallWithTheOverlap) {
  for (const std::string sorts : {"true", "false"}) {
    for (const std::string sigma : {"0.5", "0.05"}) {
      Expect(Text(Limits("30", "0.5", "1", sigma),
                  absl::StrCat("NonMaxSuppression-5(%boxes, %scores, %m, %o, "
                               "%s, %g) {box_encoding: corner, "
                               "sort_result_descending: ",
                               sorts, ", output_type: i64}"),
                  3),
             sorts == "true" ? "sort_boxes" : "gather_boxes");
    }
  }
}

TEST_P(SuppressionTest, LimitsOfEachKind) {
  const std::string suppression =
      "NonMaxSuppression-9(%boxes, %scores, %m, %o, %s, %g) {box_encoding: "
      "corner, sort_result_descending: true, output_type: i64}";
  // None stays; all stay; the first of each class stays; more than there are.
  for (const auto& limits :
       {Limits("5", "0.5", "100"), Limits("50", "1", "-100"),
        Limits("50", "-1", "-100"), Limits("1000", "0", "-3")}) {
    Expect(Text(limits, suppression, 3), "sort_boxes");
  }
  // No row at all: there is nothing to launch for.
  Expect(Text(Limits("0", "0.5", "0"), suppression, 3), "host_i64");
  Expect(Text("", "NonMaxSuppression-9(%boxes, %scores) {}", 3), "host_i64");
  // Only as many as are asked for.
  Expect(Text(Limits("4", "0.5", "0"),
              "NonMaxSuppression-9(%boxes, %scores, %m) {}", 3),
         "sort_boxes");
}

// A sigma that is known when it runs may be 0.
TEST_P(SuppressionTest, LimitsAreInputs) {
  for (const std::string factor : {"0", "1"}) {
    Expect(Text(absl::Substitute(R"(
                  %x = Parameter-0() {shape: [], element_type: f32}
                  %factor = Constant-0() {value: f32[] {$0}}
                  %square = Multiply-1(%x, %x) {}
                  %g = Multiply-1(%square, %factor) {}
                  %ten = Constant-0() {value: f32[] {10}}
                  %tens = Add-1(%square, %ten) {}
                  %m = Convert-0(%tens) {destination_type: i32}
                  %o = Multiply-1(%tens, %square) {}
                  %s = Convert-0(%m) {destination_type: f32})",
                                 factor),
                "NonMaxSuppression-9(%boxes, %scores, %m, %o, %square, %g) "
                "{box_encoding: corner, sort_result_descending: true, "
                "output_type: i64}",
                3),
           "sort_boxes");
  }
}

TEST_P(SuppressionTest, SelectedBoxesAreUsed) {
  Expect(Text(Limits("9", "0.3", "-3"),
              R"(NonMaxSuppression-9(%boxes, %scores, %m, %o, %s) {}
      %column = Constant-0() {value: i64[] {2}}
      %axis = Constant-0() {value: i64[] {1}}
      %numbers = Gather-8(%n, %column, %axis) {}
      %zero = Constant-0() {value: i64[] {0}}
      %most = ReduceSum-1(%numbers, %zero) {keep_dims: false}
      %sum = Result-0(%most) {})",
              3),
         "sort_boxes");
}

}  // namespace
}  // namespace dovetail::gpu
