#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"

#include <limits>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr KernelEpilogueSupport kFloats = {};
constexpr KernelEpilogueSupport kIntegers = {.integers = true};

// What follows %x, [1,2,3,3]; %t and the bytes %i are there.
class KernelEpilogueTest : public testing::Test {
 protected:
  KernelEpilogue Read(const std::string& rest,
                      const KernelEpilogueSupport& support) {
    auto model = ParseModelText(absl::StrCat(
        R"(%p = Parameter-0() {shape: [1,2,3,3], element_type: f32}
           %t = Parameter-0() {shape: [1,2,3,3], element_type: f32}
           %i = Parameter-0() {shape: [1,2,3,3], element_type: u8}
           %x = Sigmoid-0(%p) {}  # x
           %s = Constant-0() {value: f32[2,1,1] {2, 3}}
           %b = Constant-0() {value: f32[2,1,1] {5, 7}}
           %l = Constant-0() {value: f32[] {-1}}
           %h = Constant-0() {value: f32[] {2}}
           %z = Constant-0() {value: f32[] {0}}
           %c = Constant-0() {value: f32[] {15}}
        )",
        rest, "%r = Result-0(%y) {}\n"));
    EXPECT_TRUE(model.ok()) << model.status();
    if (!model.ok()) return {};
    model_ = std::make_unique<Model>(*std::move(model));
    const PlanBuilder builder(*model_, settings_, weights_, nullptr);
    return FindKernelEpilogue(PlanBuilder::OutputOf(*model_->FindNode("x")),
                              support, builder);
  }

  std::unique_ptr<Model> model_;
  CompileSettings settings_;
  WeightsCache weights_;
};

TEST_F(KernelEpilogueTest, ReadsInTheOrderOfKernels) {
  const KernelEpilogue follows = Read(
      "%a = Add-1(%x, %b) {}\n%d = Add-1(%a, %t) {}\n%e = PRelu-0(%d, %s) {}\n"
      "%f = Clamp-0(%e) {min: -4, max: 6}\n%y = Relu-0(%f) {}\n",
      kFloats);
  EXPECT_EQ(follows.epilogue.size(), 5u);
  EXPECT_EQ(follows.bias, (ChannelVector{5, 7}));
  EXPECT_EQ(follows.slope, (ChannelVector{2, 3}));
  EXPECT_TRUE(follows.residual);
  EXPECT_EQ(follows.form.low, 0);
  EXPECT_EQ(follows.form.high, 6);
  EXPECT_EQ(follows.form.output_type, ElementType::kF32);
}

TEST_F(KernelEpilogueTest, LeavesWhatComesInAnotherOrder) {
  // A residual behind a limit; limits that do not hold 0; scales of floats.
  EXPECT_EQ(Read("%a = Relu-0(%x) {}\n%y = Add-1(%a, %t) {}\n", kFloats)
                .epilogue.size(),
            1u);
  EXPECT_EQ(
      Read("%y = Clamp-0(%x) {min: 1, max: 6}\n", kFloats).epilogue.size(), 0u);
  EXPECT_EQ(Read("%y = Multiply-1(%x, %s) {}\n", kFloats).epilogue.size(), 0u);
  EXPECT_EQ(Read("%y = Multiply-1(%x, %t) {}\n", kFloats).epilogue.size(), 0u);
  EXPECT_EQ(
      Read("%y = Add-1(%x, %t) {}\n", {.residual = false}).epilogue.size(), 0u);
  EXPECT_EQ(Read("%y = Tanh-0(%x) {}\n", kFloats).form.high, kInfinity);
}

const char* const kToGrid =
    "%g = FakeQuantize-0(%v, %l, %h, %l, %h) {levels: 16}\n";

// Sums are scaled, limited and rounded to levels; bytes that stand for floats
// are added, and the sum is stored as bytes.
TEST_F(KernelEpilogueTest, ReadsRoundingsAndBytes) {
  const KernelEpilogue follows =
      Read(absl::StrCat("%a = Multiply-1(%x, %s) {}\n%d = Add-1(%a, %b) {}\n",
                        "%v = Relu-0(%d) {}\n", kToGrid,
                        "%f = Convert-0(%i) {destination_type: f32}\n"
                        "%m = Multiply-1(%f, %h) {}\n%u = Add-1(%g, %m) {}\n"
                        "%q = FakeQuantize-0(%u, %l, %h, %z, %c) {levels: 16}\n"
                        "%y = Convert-0(%q) {destination_type: u8}\n"),
           kIntegers);
  EXPECT_EQ(follows.epilogue.size(), 7u);
  EXPECT_EQ(follows.scale, (ChannelVector{2, 3}));
  EXPECT_EQ(follows.bias, (ChannelVector{5, 7}));
  ASSERT_TRUE(follows.form.has_grid);
  EXPECT_FLOAT_EQ(follows.form.grid.scale, 5);  // 15 steps from -1 to 2
  EXPECT_FLOAT_EQ(follows.form.grid.shift, 5);
  EXPECT_EQ(follows.form.grid.low, 5);  // what 0 is rounded to
  EXPECT_EQ(follows.form.grid.high, 15);
  EXPECT_FLOAT_EQ(follows.form.grid.step, 0.2f);
  EXPECT_EQ(follows.form.grid.offset, -1);
  EXPECT_EQ(follows.form.low, -kInfinity);
  EXPECT_EQ(follows.form.residual_type, ElementType::kU8);
  EXPECT_EQ(follows.form.residual_scale, 2);
  EXPECT_EQ(follows.form.output_type, ElementType::kU8);
  EXPECT_EQ(follows.form.output_low, 0);
  EXPECT_EQ(follows.form.output_high, 15);
  EXPECT_EQ(follows.output_scale.size(), 2u);
}

TEST_F(KernelEpilogueTest, ReadsAnActivationInPlaceOfAResidual) {
  constexpr KernelEpilogueSupport kActivations = {.integers = true,
                                                  .activations = true};
  using Activation = IntegerEpilogue::Activation;
  const std::string swish =
      "%a = Add-1(%x, %b) {}\n%v = Swish-4(%a, %h) {}\n%y = Relu-0(%v) {}\n";
  const KernelEpilogue follows = Read(swish, kActivations);
  EXPECT_EQ(follows.epilogue.size(), 3u);
  EXPECT_EQ(follows.form.activation, Activation::kSwish);
  EXPECT_EQ(follows.form.beta, 2);
  EXPECT_EQ(Read(swish, kIntegers).epilogue.size(), 1u);
  EXPECT_EQ(Read("%a = Add-1(%x, %t) {}\n%y = Sigmoid-0(%a) {}\n", kActivations)
                .form.activation,
            Activation::kNone);
}

TEST_F(KernelEpilogueTest, ReadsGelu) {
  constexpr KernelEpilogueSupport kActivations = {.integers = true,
                                                  .activations = true};
  using Activation = IntegerEpilogue::Activation;
  const auto gelu = [](const char* mode) {
    return absl::StrCat("%a = Add-1(%x, %b) {}\n%y = Gelu-7(%a) ",
                        "{approximation_mode: ", mode, "}\n");
  };
  EXPECT_EQ(Read(gelu("erf"), kActivations).form.activation, Activation::kGelu);
  EXPECT_EQ(Read(gelu("tanh"), kActivations).form.activation,
            Activation::kGeluTanh);
  // Kernels of floats have none.
  EXPECT_EQ(Read(gelu("erf"), {.inner_activation = true}).epilogue.size(), 1u);
}

TEST_F(KernelEpilogueTest, ReadsTheGridOfAnActivation) {
  constexpr KernelEpilogueSupport kRounds = {
      .integers = true, .activations = true, .rounded_activations = true};
  const std::string rest = absl::StrCat("%v = Sigmoid-0(%x) {}\n", kToGrid,
                                        "%y = Negative-0(%g) {}\n");
  const KernelEpilogue follows = Read(rest, kRounds);
  EXPECT_EQ(follows.epilogue.size(), 2u);
  EXPECT_TRUE(follows.form.has_grid);
  EXPECT_EQ(follows.form.activation, IntegerEpilogue::Activation::kSigmoid);
  constexpr KernelEpilogueSupport kDoesNot = {.integers = true,
                                              .activations = true};
  EXPECT_EQ(Read(rest, kDoesNot).epilogue.size(), 1u);
}

TEST_F(KernelEpilogueTest, ReadsSwishBeforeAResidual) {
  constexpr KernelEpilogueSupport kSwish = {.inner_activation = true};
  const std::string swish =
      "%a = Add-1(%x, %b) {}\n%v = Swish-4(%a, %h) {}\n"
      "%y = Add-1(%v, %t) {}\n";
  const KernelEpilogue follows = Read(swish, kSwish);
  EXPECT_EQ(follows.epilogue.size(), 3u);
  EXPECT_EQ(follows.form.activation, IntegerEpilogue::Activation::kSwish);
  EXPECT_EQ(follows.form.beta, 2);
  EXPECT_TRUE(follows.residual);
  EXPECT_EQ(Read(swish, {}).epilogue.size(), 1u);
  // 0 would not stay 0.
  EXPECT_EQ(Read("%y = Sigmoid-0(%x) {}\n", kSwish).epilogue.size(), 0u);
}

TEST_F(KernelEpilogueTest, ReadsSlopesBeforeAResidual) {
  constexpr KernelEpilogueSupport kInner = {.inner_activation = true};
  const std::string before = "%y = Add-1(%v, %t) {}\n";
  const KernelEpilogue leaky =
      Read("%v = PRelu-0(%x, %l) {}\n" + before, kInner);
  EXPECT_EQ(leaky.epilogue.size(), 2u);
  EXPECT_EQ(leaky.inner_slope, -1);
  EXPECT_TRUE(leaky.residual);
  const KernelEpilogue relu = Read("%v = Relu-0(%x) {}\n" + before, kInner);
  EXPECT_EQ(relu.epilogue.size(), 2u);
  EXPECT_EQ(relu.inner_slope, 0);
  // One for each channel, or behind a residual, is no inner one.
  EXPECT_EQ(Read("%v = PRelu-0(%x, %s) {}\n" + before, kInner).epilogue.size(),
            1u);
  const KernelEpilogue outer =
      Read("%v = Add-1(%x, %t) {}\n%y = PRelu-0(%v, %l) {}\n", kInner);
  EXPECT_FALSE(outer.inner_slope.has_value());
  EXPECT_EQ(outer.epilogue.size(), 2u);
}

TEST_F(KernelEpilogueTest, KernelsOfFloatsDoNotRound) {
  const std::string rest =
      absl::StrCat("%v = Relu-0(%x) {}\n", kToGrid, "%y = Negative-0(%g) {}\n");
  EXPECT_EQ(Read(rest, kFloats).epilogue.size(), 1u);
  const KernelEpilogue follows = Read(rest, kIntegers);
  EXPECT_EQ(follows.epilogue.size(), 2u);
  EXPECT_TRUE(follows.form.has_grid);
}

}  // namespace
}  // namespace dovetail::cpu
