// Networks whose shapes change from one inference of a request to the next, or
// depend on data, against the reference kernels.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/cpu/lowering.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/pass/pass_manager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Shapes = std::vector<Shape>;

// All shapes on one request, there and back again.
void ExpectAll(absl::string_view text, const std::vector<Shapes>& all,
               const PropertyMap& properties = {}) {
  const Network network(text, properties);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  unsigned seed = 0;
  for (const Shapes& shapes : all) {
    EXPECT_EQ(network.Check(*request, network.Inputs(shapes, ++seed)), "");
  }
  for (auto shapes = all.rbegin(); shapes != all.rend(); ++shapes) {
    EXPECT_EQ(network.Check(*request, network.Inputs(*shapes, ++seed)), "")
        << "on the way back";
  }
}

// ---- Shapes of inputs ----

// Convolutions in blocked layouts, a residual, a join of channels, pooling,
// resizing, and a classifier.
constexpr char kImages[] = R"(
  %x = Parameter-0() {shape: [?,3,?,?], element_type: f32}
  %w0 = Parameter-0() {shape: [16,3,3,3], element_type: f32}  # constant_0
  %w1 = Parameter-0() {shape: [16,16,3,3], element_type: f32}  # constant_1
  %w2 = Parameter-0() {shape: [16,1,1,3,3], element_type: f32}  # constant_2
  %w3 = Parameter-0() {shape: [37,5], element_type: f32}  # constant_3
  %w4 = Parameter-0() {shape: [5,32,1,1], element_type: f32}  # constant_4
  %tenth = Constant-0() {value: f32[] {0.1}}
  %c0 = Convolution-1(%x, %w0) {strides: [2,2], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}
  %r0 = Relu-0(%c0) {}
  %c1 = Convolution-1(%r0, %w1) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}
  %m1 = Multiply-1(%c1, %tenth) {}
  %a1 = Add-1(%m1, %r0) {}
  %c2 = GroupConvolution-1(%a1, %w2) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}
  %j = Concat-0(%a1, %c2) {axis: 1}
  %c4 = Convolution-1(%j, %w4) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
  %j4 = Concat-0(%c4, %j) {axis: 1}
  %axes = Constant-0() {value: i64[2] {2, 3}}
  %g = ReduceMean-1(%j4, %axes) {keep_dims: false}
  %f = MatMul-0(%g, %w3) {}
  %s = SoftMax-8(%f) {axis: 1}
  %o0 = Result-0(%c4) {}
  %o1 = Result-0(%f) {}
  %o2 = Result-0(%s) {})";

TEST(ShapesTest, BatchesAndImagesOfAnySize) {
  ExpectAll(kImages, {{{1, 3, 32, 32}},
                      {{4, 3, 32, 32}},
                      {{1, 3, 17, 45}},
                      {{2, 3, 1, 1}},
                      {{0, 3, 32, 32}},
                      {{3, 3, 8, 64}}});
}

TEST(ShapesTest, TheSameWithSeveralThreads) {
  ExpectAll(kImages, {{{1, 3, 64, 40}}, {{5, 3, 33, 33}}},
            {{"INFERENCE_NUM_THREADS", "3"}, {"NUM_STREAMS", "1"}});
}

// Attention with a mask, between two normalizations.
constexpr char kSequences[] = R"(
  %x = Parameter-0() {shape: [?,?,24], element_type: f32}
  %mask = Parameter-0() {shape: [?,1,1,?], element_type: f32}
  %wq = Parameter-0() {shape: [24,24], element_type: f32}  # constant_q
  %wk = Parameter-0() {shape: [24,24], element_type: f32}  # constant_k
  %wv = Parameter-0() {shape: [24,24], element_type: f32}  # constant_v
  %wo = Parameter-0() {shape: [24,40], element_type: f32}  # constant_o
  %scale = Parameter-0() {shape: [24], element_type: f32}  # constant_scale
  %split = Constant-0() {value: i64[4] {0, 0, 3, 8}}
  %join = Constant-0() {value: i64[3] {0, 0, 24}}
  %order = Constant-0() {value: i64[4] {0, 2, 1, 3}}
  %last = Constant-0() {value: i64[1] {-1}}
  %n = MVN-6(%x, %last) {normalize_variance: true, eps: 1e-5, eps_mode: inside_sqrt}
  %ns = Multiply-1(%n, %scale) {}
  %q = MatMul-0(%ns, %wq) {}
  %k = MatMul-0(%ns, %wk) {}
  %v = MatMul-0(%ns, %wv) {}
  %qs = Reshape-1(%q, %split) {special_zero: true}
  %ks = Reshape-1(%k, %split) {special_zero: true}
  %vs = Reshape-1(%v, %split) {special_zero: true}
  %qt = Transpose-1(%qs, %order) {}
  %kt = Transpose-1(%ks, %order) {}
  %vt = Transpose-1(%vs, %order) {}
  %a = ScaledDotProductAttention-13(%qt, %kt, %vt, %mask) {causal: false}
  %at = Transpose-1(%a, %order) {}
  %aj = Reshape-1(%at, %join) {special_zero: true}
  %r = Add-1(%aj, %x) {}
  %m = MVN-6(%r, %last) {normalize_variance: true, eps: 1e-5, eps_mode: inside_sqrt}
  %h = MatMul-0(%m, %wo) {}
  %g = Gelu-7(%h) {approximation_mode: erf}
  %o = Result-0(%g) {})";

TEST(ShapesTest, SequencesOfAnyLength) {
  ExpectAll(kSequences, {{{1, 7, 24}, {1, 1, 1, 7}},
                         {{2, 1, 24}, {2, 1, 1, 1}},
                         {{1, 65, 24}, {1, 1, 1, 65}},
                         {{3, 16, 24}, {1, 1, 1, 16}},
                         {{2, 0, 24}, {2, 1, 1, 0}},
                         {{1, 7, 24}, {1, 1, 1, 7}}});
}

// Attention as it is exported from products in Einstein's notation, and one
// whose mask has an extent of its own.
constexpr char kEinsumAttention[] = R"(
  %q = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %k = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %v = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %s = Einsum-7(%q, %k) {equation: "bhid,bhjd->bhij"}
  %p = SoftMax-8(%s) {axis: -1}
  %y = Einsum-7(%p, %v) {equation: "bhij,bhjd->bhid"}
  %o = Result-0(%y) {})";
constexpr char kMaskedAttention[] = R"(
  %q = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %k = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %v = Parameter-0() {shape: [1,2,?,8], element_type: f32}
  %mask = Parameter-0() {shape: [1,1,?,?], element_type: f32}
  %s = MatMul-0(%q, %k) {transpose_b: true}
  %m = Add-1(%s, %mask) {}
  %p = SoftMax-8(%m) {axis: -1}
  %y = MatMul-0(%p, %v) {}
  %o = Result-0(%y) {})";

TEST(ShapesTest, AttentionThatOnlyShapesTell) {
  ExpectAll(kEinsumAttention,
            {{{1, 2, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 8}},
             {{1, 2, 1, 8}, {1, 2, 33, 8}, {1, 2, 33, 8}},
             {{1, 2, 9, 8}, {1, 2, 4, 8}, {1, 2, 1, 8}},  // it broadcasts
             {{1, 2, 9, 8}, {1, 2, 1, 8}, {1, 2, 6, 8}},
             {{1, 2, 64, 8}, {1, 2, 64, 8}, {1, 2, 64, 8}}});
  ExpectAll(kMaskedAttention,
            {{{1, 2, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 8}, {1, 1, 5, 7}},
             {{1, 2, 6, 8}, {1, 2, 9, 8}, {1, 2, 9, 8}, {1, 1, 1, 9}},
             {{1, 2, 1, 8}, {1, 2, 3, 8}, {1, 2, 3, 8}, {1, 1, 4, 3}}});
}

// The operations of a copy of what the CPU made of a model, for these shapes.
std::set<std::string> OperationsFor(absl::string_view text,
                                    const Shapes& shapes) {
  const Network network(text);
  if (network.executable() == nullptr) return {};
  const auto model = network.executable()->runtime_model()->Clone();
  for (size_t i = 0; i < shapes.size(); ++i) {
    model->parameters()[i]->As<ParameterAttributes>()->shape = shapes[i];
  }
  EXPECT_TRUE(model->Infer().ok());
  PassManager passes("shapes");
  AddPassesForShapes(passes);
  EXPECT_TRUE(passes.Run(*model).ok());
  std::set<std::string> operations;
  for (const auto& node : model->nodes()) operations.emplace(node->op().type);
  return operations;
}

TEST(ShapesTest, AttentionIsFusedWhenShapesAreKnown) {
  EXPECT_THAT(OperationsFor(kEinsumAttention,
                            {{1, 2, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 8}}),
              Contains("ScaledDotProductAttention"));
  EXPECT_THAT(
      OperationsFor(kMaskedAttention,
                    {{1, 2, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 8}, {1, 1, 5, 7}}),
      Contains("ScaledDotProductAttention"));
  // What makes four rows of one is no mask.
  EXPECT_THAT(
      OperationsFor(kMaskedAttention,
                    {{1, 2, 1, 8}, {1, 2, 3, 8}, {1, 2, 3, 8}, {1, 1, 4, 3}}),
      Contains("Add"));
}

TEST(ShapesTest, RanksMayChange) {
  ExpectAll(R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %y = Parameter-0() {shape: [...], element_type: f32}
    %a = Add-1(%x, %y) {}
    %t = Tanh-0(%a) {}
    %m = Multiply-1(%t, %x) {}
    %s = SoftMax-8(%m) {axis: -1}
    %o = Result-0(%s) {})",
            {{{5}, {5}},
             {{2, 3, 4, 5}, {4, 1}},
             {{1}, {7, 1, 9}},
             {{2, 8, 4, 4, 3}, {1, 8, 1, 1, 1}},
             {{3, 0, 2}, {2}}});
}

// More shapes than are kept, twice over: plans come and go, weights stay.
TEST(ShapesTest, MoreShapesThanAreKept) {
  const Network network(R"(
    %x = Parameter-0() {shape: [?,6], element_type: f32}
    %w = Parameter-0() {shape: [6,9], element_type: f32}  # constant
    %m = MatMul-0(%x, %w) {}
    %r = Relu-0(%m) {}
    %o = Result-0(%r) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const auto many = static_cast<int64_t>(2 * Program::kMaxSpecialized + 3);
  for (int round = 0; round < 2; ++round) {
    for (int64_t rows = 1; rows <= many; ++rows) {
      ASSERT_EQ(network.Check(*request, network.Inputs({{rows, 6}})), "");
    }
  }
}

TEST(ShapesTest, WhatDoesNotFitIsAnErrorOnce) {
  const Network network(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %w = Parameter-0() {shape: [6,9], element_type: f32}  # constant
    %m = MatMul-0(%x, %w) {}  # product
    %o = Result-0(%m) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_THAT(network.Check(*request, network.Inputs({{2, 5}})),
              HasSubstr("product"));
  EXPECT_EQ(network.Check(*request, network.Inputs({{2, 6}})), "");
}

// ---- Shapes that depend on data ----

// What is left of a sequence without zeros, and a network after it.
TEST(ShapesTest, ANetworkOnWhatIsNotZero) {
  const std::string text = R"(
    %x = Parameter-0() {shape: [?,8], element_type: f32}
    %keep = Parameter-0() {shape: [?], element_type: i32}
    %w = Parameter-0() {shape: [8,8], element_type: f32}  # constant_0
    %v = Parameter-0() {shape: [8,3], element_type: f32}  # constant_1
    %zero = Constant-0() {value: i64[] {0}}
    %one = Constant-0() {value: i64[1] {0}}
    %a = MatMul-0(%x, %w) {}
    %r = Relu-0(%a) {}
    %n = NonZero-3(%keep) {output_type: i64}
    %i = Squeeze-0(%n, %one) {}
    %g = Gather-8(%r, %i, %zero) {batch_dims: 0}
    %b = MatMul-0(%g, %v) {}
    %s = SoftMax-8(%b) {axis: 1}
    %o0 = Result-0(%s) {}
    %o1 = Result-0(%r) {})";
  const Network network(text);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const std::vector<std::vector<int32_t>> kept = {
      {1, 0, 1, 1}, {0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, {0, 1}, {}, {1, 0, 1, 1}};
  for (const std::vector<int32_t>& keep : kept) {
    const auto count = static_cast<int64_t>(keep.size());
    std::vector<Tensor> inputs = network.Inputs({{count, 8}, {count}});
    inputs[1] = Tensor::FromValues<int32_t>({count}, keep).value();
    EXPECT_EQ(network.Check(*request, inputs), "");
  }
}

// A detector: boxes by a convolution, suppressed, and a second network on what
// is left of them.
TEST(ShapesTest, ANetworkOnTheBoxesThatAreLeft) {
  ExpectAll(R"(
    %x = Parameter-0() {shape: [1,3,?,?], element_type: f32}
    %wb = Parameter-0() {shape: [4,3,3,3], element_type: f32}  # constant_b
    %ws = Parameter-0() {shape: [2,3,3,3], element_type: f32}  # constant_s
    %wc = Parameter-0() {shape: [4,5], element_type: f32}  # constant_c
    %b = Convolution-1(%x, %wb) {strides: [2,2], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}
    %s = Convolution-1(%x, %ws) {strides: [2,2], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}
    %p = Sigmoid-0(%s) {}
    %flat = Constant-0() {value: i64[3] {0, 0, -1}}
    %bf = Reshape-1(%b, %flat) {special_zero: true}
    %pf = Reshape-1(%p, %flat) {special_zero: true}
    %order = Constant-0() {value: i64[3] {0, 2, 1}}
    %boxes = Transpose-1(%bf, %order) {}
    %m = Constant-0() {value: i64[] {6}}
    %i = Constant-0() {value: f32[] {0.5}}
    %t = Constant-0() {value: f32[] {0.3}}
    %n = NonMaxSuppression-9(%boxes, %pf, %m, %i, %t) {box_encoding: center, sort_result_descending: true, output_type: i64}
    %two = Constant-0() {value: i64[] {2}}
    %one = Constant-0() {value: i64[] {1}}
    %zero = Constant-0() {value: i64[1] {0}}
    %which = Gather-8(%n, %two, %one) {batch_dims: 0}
    %list = Squeeze-0(%boxes, %zero) {}
    %z = Constant-0() {value: i64[] {0}}
    %left = Gather-8(%list, %which, %z) {batch_dims: 0}
    %c = MatMul-0(%left, %wc) {}
    %k = Tanh-0(%c) {}
    %o0 = Result-0(%n) {}
    %o1 = Result-0(%k) {})",
            {{{1, 3, 8, 8}}, {{1, 3, 5, 13}}, {{1, 3, 16, 16}}});
}

// One decision after the other: each takes what the last one left.
TEST(ShapesTest, ManyDecisionsInARow) {
  std::string text = R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %z = Constant-0() {value: i64[] {0}}
    %first = Constant-0() {value: i64[1] {0}}
    %half = Constant-0() {value: f32[] {0.25}}
    %v0 = Relu-0(%x) {}
  )";
  const int count = 2 * Program::kMaxDepth;
  for (int i = 0; i < count; ++i) {
    // Those that are not 0, and a little less of them.
    absl::StrAppend(&text, "%n", i, " = NonZero-3(%v", i,
                    ") {output_type: i64}\n%i", i, " = Squeeze-0(%n", i,
                    ", %first) {}\n%g", i, " = Gather-8(%v", i, ", %i", i,
                    ", %z) {batch_dims: 0}\n%s", i, " = Subtract-1(%g", i,
                    ", %half) {}\n%v", i + 1, " = Relu-0(%s", i, ") {}\n");
  }
  absl::StrAppend(&text, "%o = Result-0(%v", count, ") {}\n");
  ExpectAll(text, {{{40}}, {{3}}, {{0}}});
}

// ---- Bodies ----

TEST(ShapesTest, BranchesAreNetworks) {
  const Network network(R"(
    %c = Parameter-0() {shape: [], element_type: boolean}
    %x = Parameter-0() {shape: [?,3,?,?], element_type: f32}
    %n = If-8(%c, %x) {}
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %w = Constant-0() {value: f32[1,3,1,1] {0.5, -1, 2}}
        %1 = Convolution-1(%0, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
        %2 = Relu-0(%1) {}
        %r = Result-0(%2) {}
      }
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %a = Constant-0() {value: i64[1] {1}}
        %1 = ReduceMax-1(%0, %a) {keep_dims: true}
        %2 = Sigmoid-0(%1) {}
        %r = Result-0(%2) {}
      }
    %s = Multiply-1(%n, %n) {}
    %q = Result-0(%s) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (const Shape& shape : Shapes{{1, 3, 4, 4}, {2, 3, 1, 9}, {0, 3, 2, 2}}) {
    for (const bool which : {true, false, true}) {
      std::vector<Tensor> inputs = network.Inputs({{}, shape});
      inputs[0] =
          Tensor::FromDoubles(ElementType::kBoolean, {}, {which ? 1.0 : 0.0})
              .value();
      EXPECT_EQ(network.Check(*request, inputs), "");
    }
  }
}

// A plain recurrence that no pass knows as a sequence.
TEST(ShapesTest, IteratorsRunANetworkForEachPart) {
  ExpectAll(
      R"(
    %x = Parameter-0() {shape: [?,?,3], element_type: f32}
    %h = Parameter-0() {shape: [?,1,3], element_type: f32}
    %n = TensorIterator-0(%x, %h) {}
      body inputs {0->0 axis=1 start=0 end=-1 stride=1 part_size=1, 1->1} outputs {0->0, 1->1 axis=1 start=0 end=-1 stride=1 part_size=1} back_edges {0->1} {
        %0 = Parameter-0() {}
        %1 = Parameter-0() {}
        %w = Constant-0() {value: f32[3,3] {0.5, -0.25, 1, 0.125, 0.5, -1, 0.75, 0.3, 0.2}}
        %2 = MatMul-0(%1, %w) {}
        %3 = Add-1(%0, %2) {}
        %4 = Tanh-0(%3) {}
        %5 = Multiply-1(%4, %0) {}
        %r = Result-0(%4) {}
        %s = Result-0(%5) {}
      }
    %a = Result-0(%n) {}
    %b = Result-0(%n:1) {})",
      {{{1, 4, 3}, {1, 1, 3}}, {{5, 2, 3}, {5, 1, 3}}, {{2, 9, 3}, {2, 1, 3}}});
}

// A state that grows in each iteration, so that the body has new shapes.
TEST(ShapesTest, LoopsWithAStateThatGrows) {
  const Network network(R"(
    %t = Parameter-0() {shape: [], element_type: i64}
    %x = Parameter-0() {shape: [?,4], element_type: f32}
    %g = Constant-0() {value: boolean[] {1}}
    %n = Loop-5(%t, %g, %x, %x) {}
      body inputs {2->0, 3->1} outputs {0->0, 1->1 axis=0 start=0 end=-1 stride=1 part_size=1} back_edges {0->0} {
        %0 = Parameter-0() {}
        %1 = Parameter-0() {}
        %w = Constant-0() {value: f32[4,4] {0.5, -0.25, 1, 0.125, 0.5, -1, 0.75, 0.3, 0.2, 1, 0.1, -0.4, 0.6, 0.7, -0.8, 0.9}}
        %m = MatMul-0(%1, %w) {}
        %2 = Concat-0(%0, %m) {axis: 0}
        %z = Constant-0() {value: i64[1] {0}}
        %3 = ReduceMean-1(%2, %z) {keep_dims: true}
        %r = Result-0(%2) {}
        %s = Result-0(%3) {}
      }
    %a = Result-0(%n) {}
    %b = Result-0(%n:1) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (const int64_t rows : {1, 3}) {
    for (const int64_t times : {2, 0, 7}) {
      std::vector<Tensor> inputs = network.Inputs({{}, {rows, 4}});
      inputs[0] = Tensor::FromValues<int64_t>({}, {times}).value();
      EXPECT_EQ(network.Check(*request, inputs), "");
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
