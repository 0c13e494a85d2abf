#include "dovetail/backends/common/kernels/host_kernels.h"

#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// What the kernels of the table and those of the host give.
void ExpectTheSame(absl::string_view text, absl::Span<const Shape> shapes) {
  const auto model = ParseModelText(text);
  ASSERT_TRUE(model.ok()) << model.status();
  const std::vector<Tensor> inputs = RandomInputs(*model, shapes, 1);
  KernelEnvironment environment;
  const auto want = EvaluateModel(*model, inputs, environment);
  ASSERT_TRUE(want.ok()) << want.status();
  ASSERT_GT(want->front().element_count(), 0);
  environment.find_kernel = &FindHostKernel;
  const auto got = EvaluateModel(*model, inputs, environment);
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(FirstDifference(*got, *want, 0), "");
}

TEST(HostKernelsTest, NonMaxSuppressionIsThatOfTheReference) {
  ExpectTheSame(R"(
    %boxes = Parameter-0() {shape: [2,200,4], element_type: f32}
    %scores = Parameter-0() {shape: [2,3,200], element_type: f32}
    %most = Constant-0() {value: i64[] {50}}
    %overlap = Constant-0() {value: f32[] {0.4}}
    %score = Constant-0() {value: f32[] {0.1}}
    %nms = NonMaxSuppression-9(%boxes, %scores, %most, %overlap, %score) {}
    %o = Result-0(%nms) {}
    %s = Result-0(%nms:1) {}
  )",
                {{2, 200, 4}, {2, 3, 200}});
}

TEST(HostKernelsTest, DetectionOutputIsThatOfTheReference) {
  ExpectTheSame(R"(
    %boxes = Parameter-0() {shape: [1,800], element_type: f32}
    %scores = Parameter-0() {shape: [1,600], element_type: f32}
    %priors = Parameter-0() {shape: [1,1,800], element_type: f32}
    %found = DetectionOutput-8(%boxes, %scores, %priors) {background_label_id: 0, top_k: 100, keep_top_k: [50], code_type: caffe.PriorBoxParameter.CORNER, share_location: true, nms_threshold: 0.45, confidence_threshold: 0.1, variance_encoded_in_target: true, normalized: true}
    %o = Result-0(%found) {}
  )",
                {{1, 800}, {1, 600}, {1, 1, 800}});
}

TEST(HostKernelsTest, OthersAreLeftToTheTable) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}
    %y = Relu-0(%x) {}
    %o = Result-0(%y) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  for (const auto& node : model->nodes()) {
    EXPECT_EQ(FindHostKernel(node->op()), nullptr);
  }
}

}  // namespace
}  // namespace dovetail
