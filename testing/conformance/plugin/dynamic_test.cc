// One request, many shapes: outputs whose shape depends on data, that grow and
// shrink, have no element, or change their rank.
#include <string>
#include <utility>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

Tensor Make(ElementType type, const Shape& shape,
            const std::vector<double>& values) {
  return Tensor::FromDoubles(type, shape, values).value();
}

Tensor Ints(const Shape& shape, const std::vector<double>& values) {
  return Make(ElementType::kI64, shape, values);
}

Tensor Truth(bool value) {
  return Make(ElementType::kBoolean, {},
              {value ? 1.0 : 0.0});
}

struct Step {
  std::vector<Tensor> inputs;
  std::string want;
};

class DynamicTest : public DeviceTest {
 protected:
  // All outputs as a text, or the error.
  static std::string Infer(InferRequest& request,
                           const std::vector<Tensor>& inputs, int outputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const absl::Status set =
          request.SetInput(static_cast<int>(i), inputs[i]);
      if (!set.ok()) return std::string(set.message());
    }
    const absl::Status status = request.Infer();
    if (!status.ok()) return std::string(status.message());
    std::string text;
    for (int i = 0; i < outputs; ++i) {
      if (i > 0) text += "; ";
      text += request.Output(i)->ToString(1000);
    }
    return text;
  }

  // The steps on one request, there and back again: what is left of one
  // inference must not show in the next.
  void ExpectSteps(absl::string_view text,
                   const std::vector<Step>& steps) const {
    if (!computes()) GTEST_SKIP() << device() << " computes nothing";
    const Model model = ModelOf(text);
    DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
    InferRequest request = NewRequest(model);
    const int outputs = static_cast<int>(model.results().size());
    for (const Step& step : steps) {
      EXPECT_EQ(Infer(request, step.inputs, outputs), step.want);
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      EXPECT_EQ(Infer(request, step->inputs, outputs), step->want)
          << "on the way back";
    }
  }
};

// ---- Shapes from data ----

TEST_F(DynamicTest, NonZeroGivesAsManyAsThereAre) {
  ExpectSteps(R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %n = NonZero-3(%x) {output_type: i64}
    %s = ShapeOf-3(%n) {output_type: i32}
    %a = Result-0(%n) {}
    %b = Result-0(%s) {})",
              {{{Floats({4}, {0, 5, 0, 6})}, "i64[1,2] {1, 3}; i32[2] {1, 2}"},
               {{Floats({4}, {0, 0, 0, 0})}, "i64[1,0] {}; i32[2] {1, 0}"},
               {{Floats({2, 2}, {1, 0, 0, 1})},
                "i64[2,2] {0, 1, 0, 1}; i32[2] {2, 2}"},
               {{Floats({3, 0}, {})}, "i64[2,0] {}; i32[2] {2, 0}"},
               {{Floats({}, {3})}, "i64[1,1] {0}; i32[2] {1, 1}"}});
}

TEST_F(DynamicTest, UniqueAndWhatFollowsIt) {
  ExpectSteps(R"(
    %x = Parameter-0() {shape: [?], element_type: i64}
    %u = Unique-10(%x) {sorted: true, index_element_type: i32, count_element_type: i32}
    %z = Constant-0() {value: i64[1] {0}}
    %m = ReduceSum-1(%u, %z) {keep_dims: false}
    %a = Result-0(%u) {}
    %b = Result-0(%m) {})",
              {{{Ints({3}, {5, 2, 5})}, "i64[2] {2, 5}; i64[] {7}"},
               {{Ints({0}, {})}, "i64[0] {}; i64[] {0}"},
               {{Ints({4}, {4, 3, 2, 1})}, "i64[4] {1, 2, 3, 4}; i64[] {10}"}});
}

TEST_F(DynamicTest, SuppressionKeepsMoreOrFewerBoxes) {
  ExpectSteps(R"(
    %b = Parameter-0() {shape: [1,?,4], element_type: f32}
    %s = Parameter-0() {shape: [1,1,?], element_type: f32}
    %m = Constant-0() {value: i64[] {10}}
    %i = Constant-0() {value: f32[] {0.5}}
    %t = Constant-0() {value: f32[] {0}}
    %n = NonMaxSuppression-9(%b, %s, %m, %i, %t) {box_encoding: corner, sort_result_descending: true, output_type: i64}
    %r = Result-0(%n) {}
    %v = Result-0(%n:2) {})",
              {{{Floats({1, 2, 4}, {0, 0, 1, 1, 5, 5, 6, 6}),
                 Floats({1, 1, 2}, {0.5, 0.75})},
                "i64[2,3] {0, 0, 1, 0, 0, 0}; i64[1] {2}"},
               {{Floats({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 1}),
                 Floats({1, 1, 2}, {0.5, 0.75})},
                "i64[1,3] {0, 0, 1}; i64[1] {1}"},
               {{Floats({1, 0, 4}, {}), Floats({1, 1, 0}, {})},
                "i64[0,3] {}; i64[1] {0}"}});
}

TEST_F(DynamicTest, RangeAndTopKTakeTheirCountsFromInputs) {
  ExpectSteps(R"(
    %n = Parameter-0() {shape: [], element_type: i64}
    %k = Parameter-0() {shape: [], element_type: i64}
    %z = Constant-0() {value: i64[] {0}}
    %o = Constant-0() {value: i64[] {1}}
    %r = Range-4(%z, %n, %o) {output_type: i64}
    %t = TopK-11(%r, %k) {axis: 0, mode: max, sort: value}
    %a = Result-0(%r) {}
    %b = Result-0(%t) {})",
              {{{Ints({}, {3}), Ints({}, {2})},
                "i64[3] {0, 1, 2}; i64[2] {2, 1}"},
               {{Ints({}, {2}), Ints({}, {0})}, "i64[2] {0, 1}; i64[0] {}"},
               {{Ints({}, {-4}), Ints({}, {0})}, "i64[0] {}; i64[0] {}"},
               {{Ints({}, {4}), Ints({}, {1})},
                "i64[4] {0, 1, 2, 3}; i64[1] {3}"}});
}

TEST_F(DynamicTest, ShapesComeFromInputs) {
  // Reshape and Broadcast to a shape whose length, the rank, is open too.
  ExpectSteps(R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %s = Parameter-0() {shape: [?], element_type: i64}
    %t = Parameter-0() {shape: [?], element_type: i64}
    %r = Reshape-1(%x, %s) {special_zero: false}
    %b = Broadcast-3(%r, %t) {mode: bidirectional}
    %o = Result-0(%r) {}
    %p = Result-0(%b) {})",
              {{{Floats({2, 2}, {1, 2, 3, 4}), Ints({1}, {-1}), Ints({0}, {})},
                "f32[4] {1, 2, 3, 4}; f32[4] {1, 2, 3, 4}"},
               {{Floats({1}, {5}), Ints({0}, {}), Ints({1}, {2})},
                "f32[] {5}; f32[2] {5, 5}"},
               {{Floats({2}, {1, 2}), Ints({3}, {1, 2, 1}), Ints({1}, {0})},
                "f32[1,2,1] {1, 2}; f32[1,2,0] {}"},
               {{Floats({0, 3}, {}), Ints({2}, {3, 0}), Ints({2}, {3, 1})},
                "f32[3,0] {}; f32[3,0] {}"}});
}

TEST_F(DynamicTest, RandomNumbersTileAndOneHotTakeTheirExtentsFromInputs) {
  ExpectSteps(R"(
    %s = Parameter-0() {shape: [?], element_type: i64}
    %d = Parameter-0() {shape: [], element_type: i64}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {1}}
    %u = RandomUniform-8(%s, %l, %h) {output_type: f32, global_seed: 1, op_seed: 2}
    %q = ShapeOf-3(%u) {output_type: i64}
    %o = OneHot-1(%s, %d, %h, %l) {axis: -1}
    %a = Result-0(%q) {}
    %b = Result-0(%o) {})",
              {{{Ints({2}, {0, 1}), Ints({}, {2})},
                "i64[2] {0, 1}; f32[2,2] {1, 0, 0, 1}"},
               {{Ints({1}, {3}), Ints({}, {0})}, "i64[1] {3}; f32[1,0] {}"},
               {{Ints({0}, {}), Ints({}, {3})}, "i64[0] {}; f32[0,3] {}"}});
}

// ---- Bodies ----

TEST_F(DynamicTest, BranchesMayGiveDifferentRanks) {
  ExpectSteps(R"(
    %c = Parameter-0() {shape: [], element_type: boolean}
    %x = Parameter-0() {shape: [?], element_type: f32}
    %n = If-8(%c, %x) {}
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %z = Constant-0() {value: i64[1] {0}}
        %1 = Unsqueeze-0(%0, %z) {}
        %r = Result-0(%1) {}
      }
      body inputs {} outputs {0->0} back_edges {} {
        %1 = Constant-0() {value: f32[] {6}}
        %r = Result-0(%1) {}
      }
    %s = Relu-0(%n) {}
    %q = Result-0(%s) {})",
              {{{Truth(true), Floats({2}, {1, -1})}, "f32[1,2] {1, 0}"},
               {{Truth(false), Floats({2}, {1, -1})}, "f32[] {6}"},
               {{Truth(true), Floats({0}, {})}, "f32[1,0] {}"}});
}

TEST_F(DynamicTest, LoopsRunAsOftenAsAnInputSays) {
  // A state that grows, and parts that are joined; without any iteration the
  // state is what it began with and there are no parts.
  ExpectSteps(R"(
    %t = Parameter-0() {shape: [], element_type: i64}
    %x = Parameter-0() {shape: [?], element_type: f32}
    %g = Parameter-0() {shape: [], element_type: boolean}
    %n = Loop-5(%t, %g, %x) {}
      body inputs {2->0, 2->1} outputs {0->0, 1->1 axis=0 start=0 end=-1 stride=1 part_size=1} back_edges {0->0} {
        %0 = Parameter-0() {}
        %1 = Parameter-0() {}
        %2 = Concat-0(%0, %1) {axis: 0}
        %z = Constant-0() {value: i64[1] {0}}
        %3 = ReduceSum-1(%2, %z) {keep_dims: true}
        %r = Result-0(%2) {}
        %s = Result-0(%3) {}
      }
    %a = Result-0(%n) {}
    %b = Result-0(%n:1) {})",
              {{{Ints({}, {2}), Floats({1}, {7}), Truth(true)},
                "f32[3] {7, 7, 7}; f32[2] {14, 21}"},
               {{Ints({}, {0}), Floats({1}, {7}), Truth(true)},
                "f32[1] {7}; f32[0] {}"},
               {{Ints({}, {3}), Floats({2}, {1, 2}), Truth(false)},
                "f32[2] {1, 2}; f32[0] {}"},
               {{Ints({}, {1}), Floats({0}, {}), Truth(true)},
                "f32[0] {}; f32[1] {0}"}});
}

// ---- No elements, and ranks ----

TEST_F(DynamicTest, RanksMayChange) {
  ExpectSteps(R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %y = Parameter-0() {shape: [...], element_type: f32}
    %s = Add-1(%x, %y) {}
    %m = SoftMax-8(%s) {axis: -1}
    %z = Constant-0() {value: i64[1] {-1}}
    %r = ReduceMax-1(%s, %z) {keep_dims: false}
    %a = Result-0(%m) {}
    %b = Result-0(%r) {})",
              {{{Floats({2}, {0, 0}), Floats({}, {1})},
                "f32[2] {0.5, 0.5}; f32[] {1}"},
               {{Floats({1, 1, 2}, {0, 0}), Floats({2, 1}, {1, 2})},
                "f32[1,2,2] {0.5, 0.5, 0.5, 0.5}; f32[1,2] {1, 2}"},
               {{Floats({0, 1}, {}), Floats({1, 2}, {1, 2})},
                "f32[0,2] {}; f32[0] {}"}});
}

TEST_F(DynamicTest, ANetworkTakesBatchesOfAnySize) {
  ExpectSteps(R"(
    %x = Parameter-0() {shape: [?,1,?,?], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {1, -1}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %p = MaxPool-1(%c) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], kernel: [1,2], rounding_type: floor, auto_pad: explicit}
    %k = Constant-0() {value: i64[2] {2, 3}}
    %g = ReduceMean-1(%p, %k) {keep_dims: false}
    %v = Constant-0() {value: f32[2,1] {1, 10}}
    %m = MatMul-0(%g, %v) {}
    %r = Result-0(%m) {})",
              {{{Floats({1, 1, 1, 2}, {1, 2})}, "f32[1,1] {-8}"},
               {{Floats({0, 1, 1, 2}, {})}, "f32[0,1] {}"},
               {{Floats({2, 1, 2, 2}, {1, 1, 1, 1, 2, 2, 2, 2})},
                "f32[2,1] {-9, -18}"}});
}

// ---- Tensors of the user ----

TEST_F(DynamicTest, OutputTensorsOfTheUserGrowAndShrink) {
  if (!computes()) GTEST_SKIP() << device() << " computes nothing";
  const Model model = ModelOf(R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %y = Concat-0(%x, %x) {axis: 0}
    %r = Result-0(%y) {})");
  DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
  InferRequest request = NewRequest(model);
  for (const int64_t count : {1, 3, 0, 2}) {
    const std::vector<double> values(count, 5.0), twice(2 * count, 5.0);
    const Tensor place =
        Floats({2 * count}, std::vector<double>(2 * count, 9.0));
    ASSERT_TRUE(request.SetOutput(0, place).ok());
    ASSERT_TRUE(request.SetInput(0, Floats({count}, values)).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_TRUE(Gives(place, twice));
    EXPECT_EQ(request.Output(0)->raw_data(), place.raw_data());
  }
  // The last tensor does not fit three elements, and is not written.
  EXPECT_THAT(Infer(request, {Floats({3}, {1, 2, 3})}, 1), HasSubstr("[6]"));
}

}  // namespace
}  // namespace dovetail
