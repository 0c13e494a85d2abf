#include "dovetail/backends/common/kernels/host_kernels.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

// A hundred thousand elements are several parts of the work.
TEST(HostKernelsTest, NonZeroIsThatOfTheReference) {
  for (const absl::string_view type : {"i64", "i32"}) {
    for (const Shape& shape : {Shape{3, 70, 900}, Shape{100000}, Shape{1},
                               Shape{40, 3000}, Shape{0, 7}, Shape{7, 0}}) {
      const std::vector<int64_t> ones(shape.rank(), 1);
      ExpectTheSame(absl::StrCat(R"(
    %x = Parameter-0() {shape: )",
                                 shape.ToString(), R"(, element_type: f32}
    %zero = Constant-0() {value: f32[] {0}}
    %some = Greater-1(%x, %zero) {}
    %kept = Relu-0(%x) {}
    %n = NonZero-3(%some) {output_type: )",
                                 type, R"(}
    %m = NonZero-3(%kept) {output_type: )",
                                 type, R"(}
    %one = Constant-0() {value: )",
                                 type, "[", shape.rank(), ",1] {",
                                 absl::StrJoin(ones, ", "), R"(}}
    %all = Concat-0(%n, %m, %one) {axis: 1}
    %r = Result-0(%all) {}
  )"),
                    {shape});
    }
  }
}

TEST(HostKernelsTest, RandomUniformIsThatOfTheReference) {
  for (const std::string stream : {"output_type: f32, alignment: tensorflow",
                                   "output_type: f32, alignment: pytorch"}) {
    ExpectTheSame(
        "%x = Parameter-0() {shape: [1], element_type: f32}\n"
        "%shape = Constant-0() {value: i64[2] {201, 101}}\n"
        "%min = Constant-0() {value: f32[] {-3.1}}\n"
        "%max = Constant-0() {value: f32[] {7.7}}\n"
        "%u = RandomUniform-8(%shape, %min, %max) {" +
            stream +
            ", global_seed: 3, op_seed: 5}\n"
            "%y = Multiply-1(%u, %x) {auto_broadcast: numpy}\n"
            "%o = Result-0(%y) {}\n",
        {{1}});
  }
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
