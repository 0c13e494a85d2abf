// Tensors that no inference can use, or only with care: each is refused with
// the port's name, or computed as if it were an ordinary one.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

constexpr int64_t kHuge = int64_t{1} << 31;
// The most positions that a tensor without elements may have.
constexpr int64_t kMax = int64_t{1} << 48;

Tensor Empty(ElementType type, const Shape& shape) {
  return Tensor::Allocate(type, shape).value();
}

class HostileTensorsTest : public DeviceTest {
 protected:
  // What comes of an inference with this tensor: of setting it, or of running.
  static absl::Status Try(InferRequest& request, const Tensor& tensor) {
    const absl::Status set = request.SetInput(0, tensor);
    return set.ok() ? request.Infer() : set;
  }

  // The request still does what it should.
  void ExpectSound(InferRequest& request) const {
    ASSERT_TRUE(request.SetInput(0, Floats({1, 3}, {1, -2, 3})).ok());
    const absl::Status status = request.Infer();
    ASSERT_TRUE(status.ok()) << status;
    if (!computes()) return;  // knows no shapes either
    EXPECT_TRUE(Gives(request.Output(0), {1, 0, 3}));
  }

  // Inferences of `model` with tensors without elements of each shape end, with
  // results or an error.
  void ExpectAnswers(absl::string_view model, const std::vector<Shape>& shapes,
                     ElementType type = ElementType::kF32) const {
    const Model parsed = ModelOf(model);
    DOVETAIL_SKIP_UNLESS_SUPPORTED(parsed);
    InferRequest request = NewRequest(parsed);
    for (const Shape& shape : shapes) {
      const absl::Status status = Try(request, Empty(type, shape));
      EXPECT_NE(status.code(), absl::StatusCode::kInternal)
          << shape.ToString() << ": " << status;
      if (!status.ok()) {
        EXPECT_FALSE(status.message().empty()) << shape.ToString();
      }
    }
  }
};

// ---- Inputs ----

TEST_F(HostileTensorsTest, InputsOfAnotherTypeOrShape) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  InferRequest request = NewRequest(DynamicModel());
  std::vector<Tensor> tensors = {Tensor()};
  for (const ElementType type :
       {ElementType::kF64, ElementType::kI64, ElementType::kU1,
        ElementType::kI4, ElementType::kString, ElementType::kBoolean}) {
    tensors.push_back(Empty(type, {1, 3}));
  }
  for (const Shape& shape :
       {Shape{}, Shape{3}, Shape{1, 1, 3}, Shape{1, 4}, Shape{3, 0},
        Shape{0, 0}, Shape{0, kHuge}, Shape{1, 3, 0}}) {
    tensors.push_back(Empty(ElementType::kF32, shape));
  }
  for (const Tensor& tensor : tensors) {
    const absl::Status status = request.SetInput(0, tensor);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << tensor.ToString();
    EXPECT_THAT(status.message(), HasSubstr("'x'")) << tensor.ToString();
  }
  ExpectSound(request);
}

TEST_F(HostileTensorsTest, ARefusedInputLeavesTheOneBefore) {
  InferRequest request = NewRequest(ChainModel());
  ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
  EXPECT_FALSE(request.SetInput("x", Tensor()).ok());
  EXPECT_FALSE(request.SetInput("x", Floats({1}, {1})).ok());
  EXPECT_FALSE(request.SetOutput("y", Empty(ElementType::kI32, {2, 3})).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), ChainOutput()));
}

TEST_F(HostileTensorsTest, StridedInputsOfChangingShapes) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  InferRequest request = NewRequest(DynamicModel());
  const Tensor large = Empty(ElementType::kF32, {5, 7});
  for (int i = 0; i < 35; ++i) large.SetElement(i, i % 2 == 0 ? i : -i);
  for (const int64_t rows : {3, 1, 0, 4}) {
    const Tensor part = large.Roi({1, 2}, {1 + rows, 5}).value();
    const absl::Status status = Try(request, part);
    ASSERT_TRUE(status.ok()) << status;
    if (!computes()) continue;
    std::vector<double> want;
    for (int64_t row = 1; row < 1 + rows; ++row) {
      for (int64_t column = 2; column < 5; ++column) {
        const double i = static_cast<double>(row * 7 + column);
        want.push_back(static_cast<int64_t>(i) % 2 == 0 ? i : 0);
      }
    }
    EXPECT_TRUE(Gives(request.Output(0), want));
  }
  ExpectSound(request);
}

// Each element on a line of its own, as in one channel of pixels.
TEST_F(HostileTensorsTest, ElementsApartFromEachOther) {
  InferRequest request = NewRequest(ChainModel());
  std::vector<float> from(24, 99), to(24, 7);
  const double x[] = {-2, -1, 0, 1, 2, 3};
  for (int i = 0; i < 6; ++i) from[4 * i] = static_cast<float>(x[i]);
  const auto borrow = [](std::vector<float>& memory) {
    return Tensor::Borrow(ElementType::kF32, {2, 3}, memory.data(),
                          static_cast<int64_t>(memory.size() * sizeof(float)),
                          Strides{48, 16})
        .value();
  };
  ASSERT_TRUE(request.SetInput("x", borrow(from)).ok());
  ASSERT_TRUE(request.SetOutput("y", borrow(to)).ok());
  ASSERT_TRUE(request.Infer().ok());
  const std::vector<double> want = ChainOutput();
  for (int i = 0; i < 24; ++i) {
    const double value = computes() ? want[i / 4] : 0;
    EXPECT_EQ(to[i], i % 4 == 0 ? value : 7) << i;
  }
}

// ---- Extents ----

TEST_F(HostileTensorsTest, TensorsThatCannotBe) {
  for (const Shape& shape :
       {Shape{kHuge, kHuge, kHuge}, Shape{kMax, 1 << 20}, Shape{kMax, kMax},
        Shape{0, kMax, kMax}, Shape{std::numeric_limits<int64_t>::max(), 3},
        Shape{-1, 3}}) {
    EXPECT_EQ(Tensor::Allocate(ElementType::kF32, shape).status().code(),
              absl::StatusCode::kInvalidArgument)
        << shape.ToString();
  }
}

TEST_F(HostileTensorsTest, NothingOfHugeExtents) {
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %r = Relu-0(%x) {}
    %m = Multiply-1(%r, %x) {}
    %o = Result-0(%m) {})",
                {{0, kHuge}, {kHuge, 0}, {0, kMax}, {kMax, 0}, {0, 0}});
}

TEST_F(HostileTensorsTest, ProductsOverNothing) {
  // Of [n, 0] and [0, n] it is n * n zeros.
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %m = MatMul-0(%x, %x) {transpose_b: true}
    %o = Result-0(%m) {})",
                {{0, 0}, {0, kMax}, {3, 0}, {kHuge, 0}, {kMax, 0}});
}

TEST_F(HostileTensorsTest, SumsOverNothing) {
  // Of [0, n] there are n of them.
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %z = Constant-0() {value: i64[1] {0}}
    %m = ReduceSum-1(%x, %z) {keep_dims: false}
    %o = Result-0(%m) {})",
                {{0, 0}, {kMax, 0}, {0, 3}, {0, kMax}, {0, kHuge * 512}});
}

TEST_F(HostileTensorsTest, ExtentsThatGrowOutOfReach) {
  const std::vector<Shape> shapes = {{0, kHuge}, {0, kMax}, {kMax, 0}};
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %c = Concat-0(%x, %x, %x) {axis: 1}
    %o = Result-0(%c) {})",
                shapes);
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %n = Constant-0() {value: i64[2] {4611686018427387904, 4611686018427387904}}
    %c = Tile-0(%x, %n) {}
    %o = Result-0(%c) {})",
                shapes);
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %p = Constant-0() {value: i64[2] {0, 1099511627776}}
    %v = Constant-0() {value: f32[] {0}}
    %c = Pad-12(%x, %p, %p, %v) {pad_mode: constant}
    %o = Result-0(%c) {})",
                shapes);
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %s = Constant-0() {value: i64[1] {-1}}
    %c = Reshape-1(%x, %s) {special_zero: false}
    %o = Result-0(%c) {})",
                shapes);
}

TEST_F(HostileTensorsTest, ImagesWithoutElements) {
  ExpectAnswers(R"(
    %x = Parameter-0() {shape: [?,2,?,?], element_type: f32}
    %w = Constant-0() {value: f32[2,2,3,3] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1], auto_pad: explicit}
    %p = MaxPool-1(%c) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: ceil, auto_pad: explicit}
    %s = Softmax-8(%p) {axis: 1}
    %o = Result-0(%s) {})",
                {{0, 2, 4, 4},
                 {1, 2, 0, 4},
                 {1, 2, 4, 0},
                 {1, 2, 0, 0},
                 {0, 2, kHuge, 1 << 16},
                 {0, 2, kMax / 2, 1},
                 {1, 2, 0, kMax / 2}});
}

// As many elements as an input says, and too many.
TEST_F(HostileTensorsTest, ExtentsThatAnInputSays) {
  const Model model = ModelOf(R"(
    %n = Parameter-0() {shape: [2], element_type: i64}
    %v = Constant-0() {value: f32[] {6}}
    %b = Broadcast-3(%v, %n) {mode: numpy}
    %o = Result-0(%b) {})");
  DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
  InferRequest request = NewRequest(model);
  const auto with = [&](int64_t rows, int64_t columns) {
    const int64_t extents[] = {rows, columns};
    const Tensor tensor = Tensor::FromValues<int64_t>({2}, extents).value();
    return Try(request, tensor);
  };
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{
           {kMax, kMax}, {kMax, 4}, {kHuge, kHuge}, {-1, 2}, {1, -kMax}}) {
    const absl::Status status = with(rows, columns);
    if (!computes()) continue;
    EXPECT_FALSE(status.ok()) << rows << " x " << columns;
    EXPECT_NE(status.code(), absl::StatusCode::kInternal) << status;
  }
  ASSERT_TRUE(with(1, 2).ok());
  if (!computes()) return;
  EXPECT_TRUE(Gives(request.Output(0), {6, 6}));
}

// ---- Outputs ----

// Parts of one piece of memory, which overlap.
TEST_F(HostileTensorsTest, OutputsThatOverlapInputs) {
  for (const int64_t shift : {-2, -1, 1, 2, 3}) {
    InferRequest request = NewRequest(ChainModel());
    const Tensor memory = Empty(ElementType::kF32, {20});
    const auto at = [&](int64_t begin) {
      return memory.Roi({begin}, {begin + 6}).value().Reshape({2, 3}).value();
    };
    const Tensor x = at(5), y = at(5 + shift);
    ASSERT_TRUE(x.CopyFrom(ChainInput()).ok());
    ASSERT_TRUE(request.SetInput("x", x).ok());
    ASSERT_TRUE(request.SetOutput("y", y).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_TRUE(Gives(y, ChainOutput())) << "shifted by " << shift;
  }
}

TEST_F(HostileTensorsTest, EveryOutputInEveryInput) {
  for (const char* output : {"sum", "product"}) {
    for (const char* input : {"a", "b"}) {
      InferRequest request = NewRequest(TwoByTwoModel());
      const Tensor a = Floats({4}, {1, 2, 3, 4}), b = Floats({4}, {5, 6, 7, 8});
      ASSERT_TRUE(request.SetInput("a", a).ok());
      ASSERT_TRUE(request.SetInput("b", b).ok());
      ASSERT_TRUE(
          request.SetOutput(output, std::string(input) == "a" ? a : b).ok());
      ASSERT_TRUE(request.Infer().ok());
      EXPECT_TRUE(Gives(request.Output("sum"), {6, 8, 10, 12}))
          << output << " in " << input;
      EXPECT_TRUE(Gives(request.Output("product"), {5, 12, 21, 32}))
          << output << " in " << input;
    }
  }
}

TEST_F(HostileTensorsTest, StridedOutputsInStridedInputs) {
  InferRequest request = NewRequest(ChainModel());
  const Tensor memory = Empty(ElementType::kF32, {3, 8});
  for (int i = 0; i < 24; ++i) memory.SetElement(i, 7);
  const Tensor x = memory.Roi({0, 1}, {2, 4}).value();
  const Tensor y = memory.Roi({1, 2}, {3, 5}).value();
  ASSERT_TRUE(x.CopyFrom(ChainInput()).ok());
  ASSERT_TRUE(request.SetInput("x", x).ok());
  ASSERT_TRUE(request.SetOutput("y", y).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(y, ChainOutput()));
}

TEST_F(HostileTensorsTest, OutputsOfDynamicShapesThatDoNotFit) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  InferRequest request = NewRequest(DynamicModel());
  std::vector<Tensor> tensors;
  for (const Shape& shape : {Shape{3}, Shape{1, 2}, Shape{1, 1, 3}}) {
    tensors.push_back(Empty(ElementType::kF32, shape));
  }
  tensors.push_back(Empty(ElementType::kF16, {1, 3}));
  tensors.push_back(Empty(ElementType::kString, {1, 3}));
  for (const Tensor& tensor : tensors) {
    const absl::Status status = request.SetOutput(0, tensor);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << tensor.ToString();
    EXPECT_THAT(status.message(), HasSubstr("'y'"));
  }
  ExpectSound(request);
}

// ---- At the wrong time ----

TEST_F(HostileTensorsTest, TensorsAreNotChangedUnderAnInference) {
  InferRequest request = NewRequest(LongModel(30, 500));
  const Tensor ones = Floats({500}, std::vector<double>(500, 1));
  const Tensor twos = Floats({500}, std::vector<double>(500, 2));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(request.SetInput("x", ones).ok());
    ASSERT_TRUE(request.StartAsync().ok());
    // Refused, or too late for this inference.
    const absl::Status set = request.SetInput("x", twos);
    ASSERT_TRUE(request.Wait().ok());
    if (!set.ok()) {
      EXPECT_EQ(set.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_EQ(request.Input("x")->raw_data(), ones.raw_data());
    }
    EXPECT_TRUE(Gives(request.Output(0), std::vector<double>(500, 31)));
  }
}

}  // namespace
}  // namespace dovetail
