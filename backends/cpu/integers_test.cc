// Quantized networks in integers and in f32 against the reference kernels. What
// lies next to a tie may be rounded to the other side, and goes on from there,
// so results agree to a part of their range only.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 0.03;

// %name: `data` rounded to 256 levels from low to high.
std::string Quantized(const std::string& name, const std::string& data,
                      const std::string& low, const std::string& high) {
  return absl::StrCat("%", name, "l = Constant-0() {value: f32", low, "}\n%",
                      name, "h = Constant-0() {value: f32", high, "}\n%", name,
                      " = FakeQuantize-0(%", data, ", %", name, "l, %", name,
                      "h, %", name, "l, %", name, "h) {levels: 256}\n");
}

// ",1" for each spatial axis of weights such as "[16,3,3,3]".
std::string Ones(const std::string& weights, const std::string& type) {
  std::string ones;
  const auto rank = std::count(weights.begin(), weights.end(), ',') + 1;
  for (auto i = rank - (type == "Convolution" ? 2 : 3); i > 0; --i) {
    ones += ",1";
  }
  return ones;
}

// %name: a convolution of `data` with weights of 8 bits and a bias.
std::string Convolution(const std::string& name, const std::string& data,
                        const std::string& weights, int channels,
                        const std::string& window,
                        const std::string& type = "Convolution") {
  return absl::StrCat("%", name, "w = Parameter-0() {shape: ", weights,
                      ", element_type: i8}  # constant weights\n%", name,
                      "f = Convert-0(%", name, "w) {destination_type: f32}\n%",
                      name, "s = Constant-0() {value: f32[] {0.004}}\n%", name,
                      "m = Multiply-1(%", name, "f, %", name, "s) {}\n%", name,
                      "c = ", type, "-1(%", data, ", %", name, "m) {", window,
                      "}\n%", name, "b = Parameter-0() {shape: [1,", channels,
                      Ones(weights, type),
                      "], element_type: f32}  # constant bias\n%", name,
                      " = Add-1(%", name, "c, %", name, "b) {}\n");
}

constexpr char kSame[] = "pads_begin: [1,1], pads_end: [1,1]";
constexpr char kHalved[] = "strides: [2,2], pads_begin: [1,1], pads_end: [1,1]";

// Few channels, a window of each channel by itself, a residual that is rounded
// before it is added, channels side by side, pooling, every second window of
// each channel, and a head of floats.
std::string Blocks(const std::string& shape = "[?,3,?,?]") {
  return absl::StrCat(
      "%x = Parameter-0() {shape: ", shape, ", element_type: f32}\n",
      Quantized("q", "x", "[] {-2}", "[] {2}"),
      Convolution("a", "q", "[16,3,3,3]", 16, kHalved), "%ar = Relu-0(%a) {}\n",
      Quantized("aq", "ar", "[] {0}", "[] {4}"),
      Convolution("d", "aq", "[16,1,1,3,3]", 16, kSame, "GroupConvolution"),
      "%dr = Clamp-0(%d) {min: 0, max: 6}\n",
      Quantized("dq", "dr", "[] {0}", "[] {3}"),
      Convolution("p", "dq", "[16,16,1,1]", 16, ""),
      Quantized("pq", "p", "[] {-4}", "[] {4}"), "%r = Add-1(%aq, %pq) {}\n",
      Quantized("rq", "r", "[] {-4}", "[] {8}"),
      Convolution("e", "rq", "[24,16,3,3]", 24, kSame),
      Quantized("eq", "e", "[] {-8}", "[] {8}"),
      "%j = Concat-0(%rq, %eq) {axis: 1}\n",
      "%m = MaxPool-1(%j) {strides: [2,2], pads_begin: [0,0], ",
      "pads_end: [0,0], kernel: [2,2], rounding_type: ceil}\n",
      Convolution("g", "m", "[40,1,1,3,3]", 40, kHalved, "GroupConvolution"),
      "%gr = Relu-0(%g) {}\n", Quantized("gq", "gr", "[] {0}", "[] {3}"),
      Convolution("h", "gq", "[10,40,1,1]", 10, ""), "%y = Result-0(%h) {}\n");
}

// Of a network of one input, with each of its shapes.
void ExpectAgreement(const std::string& operations,
                     const std::vector<Shape>& shapes,
                     const std::string& precision = "dynamic") {
  const Network network(operations, {{"INFERENCE_PRECISION_HINT", precision}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (unsigned seed = 1; seed < 4; ++seed) {
    for (const Shape& shape : shapes) {
      EXPECT_EQ(network.Check(*request, network.Inputs({shape}, seed),
                              kTolerance),
                "")
          << precision << ", seed " << seed;
    }
  }
}

TEST(IntegersTest, QuantizedNetworksInIntegers) {
  ExpectAgreement(Blocks(), {{1, 3, 32, 40}, {2, 3, 17, 9}});
}

TEST(IntegersTest, QuantizedNetworksInFloats) {
  ExpectAgreement(Blocks(), {{1, 3, 32, 40}, {2, 3, 17, 9}}, "f32");
}

// Nodes of Blocks(), in that precision, whose step computes integers. Steps are
// known where shapes are.
std::vector<std::string> ComputedInIntegers(const std::string& precision) {
  const Network network(Blocks("[1,3,32,40]"),
                        {{"INFERENCE_PRECISION_HINT", precision}});
  const Executable& executable = *network.executable();
  std::vector<std::string> names;
  for (const auto& node : executable.runtime_model()->nodes()) {
    const ExecutionInfo info = executable.execution_info(*node);
    if (info.precision == "i8" || info.precision == "u8" ||
        absl::EndsWith(info.kernel, "int8")) {
      names.push_back(absl::StrCat(node->name(), ": ", info.kernel, " in ",
                                   info.precision));
    }
  }
  return names;
}

// Agreement would not show it: roundings are within its tolerance.
TEST(IntegersTest, FloatsAreAskedForAndComputed) {
  EXPECT_THAT(ComputedInIntegers("f32"), ::testing::IsEmpty());
  EXPECT_THAT(ComputedInIntegers("dynamic"),
              ::testing::Not(::testing::IsEmpty()));
}

// Activations between integers: windows of one pixel, of each channel by itself,
// and products of two sources that are concatenated before they are quantized.
TEST(IntegersTest, ActivationsAndJoinedSources) {
  ExpectAgreement(
      absl::StrCat(
          "%x = Parameter-0() {shape: [1,48,13,11], element_type: f32}\n",
          Quantized("q", "x", "[] {-2}", "[] {2}"),
          Convolution("e", "q", "[96,48,1,1]", 96, ""),
          "%ez = Swish-4(%e) {}\n", Quantized("eq", "ez", "[] {-1}", "[] {7}"),
          Convolution("d", "eq", "[96,1,1,3,3]", 96, kSame, "GroupConvolution"),
          "%dz = HSwish-4(%d) {}\n",
          Convolution("p", "q", "[32,48,1,1]", 32, ""),
          "%pz = Sigmoid-0(%p) {}\n%j = Concat-0(%dz, %pz) {axis: 1}\n",
          Quantized("jq", "j", "[] {-1}", "[] {4}"),
          Convolution("h", "jq", "[20,128,1,1]", 20, ""),
          "%y = Result-0(%h) {}\n"),
      {{1, 48, 13, 11}});
}

// Groups of whole blocks of channels, of half blocks, and of fewer, which stay
// floats where there are no dot products.
TEST(IntegersTest, GroupsOfChannels) {
  ExpectAgreement(
      absl::StrCat(
          "%x = Parameter-0() {shape: [2,32,13,11], element_type: f32}\n",
          Quantized("q", "x", "[] {-2}", "[] {2}"),
          Convolution("a", "q", "[2,24,16,3,3]", 48, kSame, "GroupConvolution"),
          "%ar = Relu-0(%a) {}\n", Quantized("aq", "ar", "[] {0}", "[] {4}"),
          Convolution("b", "aq", "[12,4,4,3,3]", 48, kSame, "GroupConvolution"),
          Quantized("bq", "b", "[] {-4}", "[] {4}"),
          "%r = Add-1(%aq, %bq) {}\n",
          Quantized("rq", "r", "[] {-4}", "[] {8}"),
          Convolution("c", "rq", "[24,2,2,1,1]", 48, "", "GroupConvolution"),
          "%y = Result-0(%c) {}\n"),
      {{2, 32, 13, 11}});
}

// Windows along one axis, dense, of groups and of each channel by itself.
TEST(IntegersTest, Rows) {
  const std::string same = "pads_begin: [1], pads_end: [1]";
  ExpectAgreement(
      absl::StrCat(
          "%x = Parameter-0() {shape: [2,24,61], element_type: f32}\n",
          Quantized("q", "x", "[] {-2}", "[] {2}"),
          Convolution("a", "q", "[32,24,3]", 32, same), "%ar = Relu-0(%a) {}\n",
          Quantized("aq", "ar", "[] {0}", "[] {4}"),
          Convolution("b", "aq", "[4,16,8,1]", 64, "", "GroupConvolution"),
          Quantized("bq", "b", "[] {-4}", "[] {4}"),
          Convolution("c", "bq", "[64,1,1,3]", 64, same, "GroupConvolution"),
          "%y = Result-0(%c) {}\n"),
      {{2, 24, 61}});
}

// A residual block as networks of videos have them, with windows of planes
// alone and of pixels alone, and channels by themselves, which stay floats
// where there are no dot products.
TEST(IntegersTest, Volumes) {
  const std::string same = "pads_begin: [1,1,1], pads_end: [1,1,1]";
  const std::string planes = "pads_begin: [1,0,0], pads_end: [1,0,0]";
  const std::string pixels = "pads_begin: [0,1,1], pads_end: [0,1,1]";
  ExpectAgreement(
      absl::StrCat(
          "%x = Parameter-0() {shape: [2,3,6,13,11], element_type: f32}\n",
          Quantized("q", "x", "[] {-2}", "[] {2}"),
          Convolution("a", "q", "[16,3,3,3,3]", 16,
                      same + ", strides: [1,2,2]"),
          "%ar = Relu-0(%a) {}\n", Quantized("aq", "ar", "[] {0}", "[] {4}"),
          Convolution("b", "aq", "[24,16,1,3,3]", 24, pixels),
          Quantized("bq", "b", "[] {-4}", "[] {4}"),
          Convolution("c", "bq", "[16,24,3,1,1]", 16, planes),
          Quantized("cq", "c", "[] {-4}", "[] {4}"),
          "%r = Add-1(%aq, %cq) {}\n",
          Quantized("rq", "r", "[] {-4}", "[] {8}"),
          Convolution("d", "rq", "[16,1,1,3,3,3]", 16, same,
                      "GroupConvolution"),
          Quantized("dq", "d", "[] {-4}", "[] {4}"),
          "%m = MaxPool-1(%dq) {strides: [2,2,2], pads_begin: [0,0,0], ",
          "pads_end: [0,0,0], kernel: [2,2,2], rounding_type: ceil}\n",
          Convolution("e", "m", "[10,16,1,1,1]", 10, ""),
          "%y = Result-0(%e) {}\n"),
      {{2, 3, 6, 13, 11}});
}

// Ranges 14 times apart, as segmentation networks join them, have too few levels
// in common. What reads them is no convolution of integers then, and not one of
// bf16 either, which is off by 1e-3 and more here: as exact as the reference, at
// any level of instructions.
TEST(IntegersTest, ScalesFarApartSideBySideStayFloats) {
  const Network network(
      absl::StrCat("%x = Parameter-0() {shape: [1,16,20,24], "
                   "element_type: f32}\n%y = Parameter-0() {shape: "
                   "[1,16,20,24], element_type: f32}\n",
                   "%k = Constant-0() {value: f32[] {57}}\n",
                   "%xk = Multiply-1(%x, %k) {}\n",
                   Quantized("a", "xk", "[] {-114}", "[] {114}"),
                   "%l = Constant-0() {value: f32[] {4.2}}\n",
                   "%yl = Multiply-1(%y, %l) {}\n",
                   Quantized("b", "yl", "[] {-8.35}", "[] {8.35}"),
                   "%j = Concat-0(%a, %b) {axis: 1}\n",
                   Convolution("c", "j", "[24,32,3,3]", 24, kSame),
                   "%cr = Relu-0(%c) {}\n%r = Result-0(%cr) {}\n"),
      {{"INFERENCE_PRECISION_HINT", "dynamic"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  constexpr double kAsFloats = 1e-4;
  const Shape shape = {1, 16, 20, 24};
  for (unsigned seed = 1; seed < 4; ++seed) {
    EXPECT_EQ(network.Check(*request, network.Inputs({shape, shape}, seed),
                            kAsFloats),
              "")
        << "seed " << seed;
  }
}

// Scores of quantized queries and keys are exact where bf16 is allowed, too:
// levels rounded to bf16 would be off by 0.04 here, as the scale makes scores
// large. What is left are the roundings of values and numerators.
TEST(IntegersTest, AttentionMultipliesLevels) {
  const Network network(
      absl::StrCat(
          "%q = Parameter-0() {shape: [1,2,70,64], element_type: f32}\n"
          "%k = Parameter-0() {shape: [1,2,60,64], element_type: f32}\n"
          "%v = Parameter-0() {shape: [1,2,60,32], element_type: f32}\n",
          Quantized("fq", "q", "[] {-1.9}", "[] {2}"),
          Quantized("fk", "k", "[] {-2}", "[] {2}"), R"(
    %m = Parameter-0() {shape: [70,60], element_type: f32}
    %s = Constant-0() {value: f32[] {2}}
    %y = ScaledDotProductAttention-13(%fq, %fk, %v, %m, %s) {causal: false}
    %r = Result-0(%y) {})"),
      {{"INFERENCE_PRECISION_HINT", "dynamic"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const std::vector<Tensor> inputs = network.Inputs(
      {{1, 2, 70, 64}, {1, 2, 60, 64}, {1, 2, 60, 32}, {70, 60}});
  EXPECT_EQ(network.Check(*request, inputs, 0.01), "");
}

}  // namespace
}  // namespace dovetail::cpu
