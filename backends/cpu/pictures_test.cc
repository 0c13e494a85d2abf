// Pictures of bytes, channels last, before a first convolution: what is folded
// into its weights and what one step reads agrees with the reference kernels.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Steps on %name, which they replace by one whose name is a letter longer.
struct Steps {
  std::string text, name = "x";

  void Add(const std::string& operation, const std::string& operands,
           const std::string& attributes = "") {
    absl::StrAppend(&text, "%", name, "x = ", operation, "(%", name, operands,
                    ") {", attributes, "}\n");
    name += "x";
  }
};

// One letter a step: c(onvert), r(everse channels), m(ean), s(cale), t(ranspose
// to planes).
constexpr const char* kOrders[] = {"crmst", "rcmst", "cmstr", "ctmsr", "tcrsm",
                                   "cmrst", "csmt",  "cmt",   "tc"};

// A constant with a number a channel, or one for all.
std::string Numbers(const std::string& name, const std::string& three,
                    bool by_channel, bool planes) {
  const std::string shape = !by_channel ? "[] {3.5}"
                            : planes    ? "[1,3,1,1] {" + three + "}"
                                        : "[1,1,1,3] {" + three + "}";
  return absl::StrCat("%", name, " = Constant-0() {value: f32", shape, "}\n");
}

Steps PictureSteps(const std::string& order, bool by_channel) {
  Steps steps;
  bool planes = false;
  for (const char step : order) {
    if (step == 'c') steps.Add("Convert-0", "", "destination_type: f32");
    if (step == 'r') {
      absl::StrAppend(&steps.text,
                      "%ri = Constant-0() {value: i64[3] {2, 1, 0}}\n",
                      "%ra = Constant-0() {value: i64[] {", planes ? 1 : 3,
                      "}}\n");
      steps.Add("Gather-8", ", %ri, %ra", "batch_dims: 0");
    }
    if (step == 'm') {
      steps.text += Numbers("mean", "123.7, 116.3, 103.5", by_channel, planes);
      steps.Add("Subtract-1", ", %mean");
    }
    if (step == 's') {
      steps.text += Numbers("scale", "58.4, 57.1, 57.4", by_channel, planes);
      steps.Add("Divide-1", ", %scale", "m_pythondiv: true");
    }
    if (step == 't') {
      steps.text += "%to = Constant-0() {value: i64[4] {0, 3, 1, 2}}\n";
      steps.Add("Transpose-1", ", %to");
      planes = true;
    }
  }
  return steps;
}

struct First {
  std::string type, weights, window;
};

const First kDense = {"Convolution", "[8,3,3,3]", "strides: [2,2]"};
const First kPadded = {"Convolution", "[8,3,3,3]",
                       "pads_begin: [1,1], pads_end: [1,1]"};
const First kDepthwise = {"GroupConvolution", "[3,2,1,3,3]",
                          "pads_begin: [1,1], pads_end: [1,1]"};

// A convolution of %data with weights of that type.
std::string Convolved(const std::string& data, const First& first,
                      const std::string& type) {
  return absl::StrCat("%w = Parameter-0() {shape: ", first.weights,
                      ", element_type: ", type, "}  # constant small w\n",
                      "%v = Convert-0(%w) {destination_type: f32}\n%y = ",
                      first.type, "-1(%", data, ", %v) {", first.window, "}\n",
                      "%a = Relu-0(%y) {}\n%o = Result-0(%a) {}\n");
}

constexpr char kPicture[] =
    "%x = Parameter-0() {shape: [?,?,?,3], element_type: u8}\n";

void ExpectAgreement(const std::string& text, double tolerance = 1e-5,
                     const std::string& precision = "f32") {
  const Network network(text, {{"INFERENCE_PRECISION_HINT", precision}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr) << text;
  for (const Shape& shape : {Shape{1, 9, 12, 3}, Shape{3, 16, 7, 3}}) {
    EXPECT_EQ(network.Check(*request, network.Inputs({shape}), tolerance), "")
        << text;
  }
}

TEST(PicturesTest, AnyOrderOfSteps) {
  for (const char* order : kOrders) {
    for (const bool by_channel : {false, true}) {
      for (const First& first : {kDense, kPadded, kDepthwise}) {
        const Steps steps = PictureSteps(order, by_channel);
        ExpectAgreement(kPicture + steps.text +
                        Convolved(steps.name, first, "f32"));
      }
    }
  }
}

// Kernels of images do conversion, mean, scale and planes as they read. Which
// kernel that is depends on the instructions.
TEST(PicturesTest, TheFirstConvolutionReadsTheBytes) {
  for (const char* order : {"crmst", "cmt", "ctmsr"}) {
    const Steps steps = PictureSteps(order, true);
    std::string text =
        kPicture + steps.text + Convolved(steps.name, kDense, "f32");
    const std::string any = "[?,?,?,3]";
    text.replace(text.find(any), any.size(), "[1,32,48,3]");
    const Network network(text);
    const Executable& executable = *network.executable();
    const Model& model = *executable.runtime_model();
    const auto info = [&](absl::string_view type) {
      for (const auto& node : model.nodes()) {
        if (node->op().type == type) return executable.execution_info(*node);
      }
      return ExecutionInfo();
    };
    const ExecutionInfo convolution = info("Convolution");
    if (convolution.kernel != "few_channels_f32") {
      GTEST_SKIP() << "computed by " << convolution.kernel;
    }
    EXPECT_NE(info("Convert").fused_into, "") << order;
    EXPECT_NE(info("Transpose").fused_into, "") << order;
    EXPECT_EQ(info("Convert").fused_into, info("Relu").fused_into) << order;
  }
}

TEST(PicturesTest, WeightsInF16) {
  for (const First& first : {kDense, kPadded, kDepthwise}) {
    const Steps steps = PictureSteps("crmst", true);
    ExpectAgreement(kPicture + steps.text +
                    Convolved(steps.name, first, "f16"));
  }
}

// What others read of the picture, or between its steps, stays as it is.
TEST(PicturesTest, SeveralReaders) {
  const Steps steps = PictureSteps("crmst", true);
  for (size_t length = 1; length <= steps.name.size(); ++length) {
    ExpectAgreement(absl::StrCat(
        kPicture, steps.text, Convolved(steps.name, kPadded, "f32"),
        "%i = Result-0(%", std::string(length, 'x'), ") {}\n"));
  }
}

// A network that quantizes the picture, and multiplies integers where the
// processor has instructions for it.
std::string Quantized(const Steps& steps, bool padded) {
  return absl::StrCat(
      kPicture, steps.text, "%l = Constant-0() {value: f32[] {-2.2}}\n",
      "%h = Constant-0() {value: f32[] {2.7}}\n", "%q = FakeQuantize-0(%",
      steps.name, ", %l, %h, %l, %h) {levels: 256}\n",
      "%w = Parameter-0() {shape: [16,3,3,3], element_type: i8}",
      "  # constant weights\n%f = Convert-0(%w) {destination_type: f32}\n",
      "%s = Constant-0() {value: f32[] {0.004}}\n%m = Multiply-1(%f, %s) {}\n",
      "%y = Convolution-1(%q, %m) {", padded ? kPadded.window : "", "}\n",
      "%o = Result-0(%y) {}\n");
}

// What lies next to a tie may be rounded to the other side.
TEST(PicturesTest, QuantizedNetworks) {
  for (const char* order : {"crmst", "rcmst", "ctmsr", "cmst"}) {
    for (const bool padded : {false, true}) {
      const std::string text = Quantized(PictureSteps(order, true), padded);
      ExpectAgreement(text, 0.03, "dynamic");
      ExpectAgreement(text, 0.01, "f32");
    }
  }
}

// Both factors are rounded to 8 bits where there are instructions for bf16.
TEST(PicturesTest, InBf16) {
  const Steps steps = PictureSteps("crmst", true);
  for (const First& first : {kDense, kPadded, kDepthwise}) {
    ExpectAgreement(kPicture + steps.text +
                        Convolved(steps.name, first, "f32"),
                    0.023, "bf16");
  }
}

}  // namespace
}  // namespace dovetail::cpu
