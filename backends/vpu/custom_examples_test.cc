// The kernels of testing/shave_kernels beside the operations' built-in ones.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/testing/one_layer.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/runtime/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::ElementsAre;

constexpr char kFile[] = "testing/shave_kernels/layers.xml";
constexpr char kChannelsLast[] = "testing/shave_kernels/convolution_hwc.xml";

class CustomExamplesTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = WhyNoCustomKernels();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  // Expects the values of the built-in kernel, of an export too, and that DMA
  // moves so many bytes.
  void ExpectAgrees(const std::string& shape, const std::string& layer,
                    int64_t bytes, const std::string& file = kFile) {
    SCOPED_TRACE(layer);
    const auto custom = core_.Compile(ModelWith(shape, layer), "VPU",
                                      {{"MYRIAD_CUSTOM_LAYERS", file},
                                       {"MYRIAD_PERF_REPORT_MODE", "PER_STAGE"},
                                       {"PERF_COUNT", "YES"}});
    ASSERT_TRUE(custom.ok()) << custom.status();
    const auto built_in = core_.Compile(ModelWith(shape, layer), "VPU");
    ASSERT_TRUE(built_in.ok()) << built_in.status();
    const auto want = InferOnce(*built_in);
    const auto got = InferOnce(*custom);
    ASSERT_TRUE(want.ok()) << want.status();
    ASSERT_TRUE(got.ok()) << got.status();
    ExpectNear(got->values, want->values);
    EXPECT_EQ(got->bytes, bytes);
    EXPECT_GT(got->cycles, 0);
    stages_ = got->records;
    const auto imported =
        core_.ImportFromString(custom->ExportToString().value(), "VPU");
    ASSERT_TRUE(imported.ok()) << imported.status();
    const auto again = InferOnce(*imported);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->values, got->values);
    EXPECT_EQ(again->cycles, got->cycles);
  }

  static void ExpectNear(const std::vector<float>& got,
                         const std::vector<float>& want) {
    ASSERT_EQ(got.size(), want.size());
    float largest = 0;
    for (const float value : want) {
      largest = std::fmax(largest, std::abs(value));
    }
    for (size_t i = 0; i < want.size(); ++i) {
      ASSERT_NEAR(got[i], want[i], 5e-3 * largest) << i;
    }
  }

  Core core_;
  std::vector<std::string> stages_;  // of the last
};

TEST_F(CustomExamplesTest, ReorgYolo) {
  ExpectAgrees("[1,8,6,4]", "ReorgYolo-0(%x) {stride: 2}", 0);
  EXPECT_THAT(stages_, ElementsAre("layer"));
}

// All elements, in and out.
TEST_F(CustomExamplesTest, Grn) {
  ExpectAgrees("[1,5,3,8]", "GRN-0(%x) {bias: 0.5}", 2 * (5 * 3 * 8) * 2);
}

// From one place to another in global memory, counted once.
TEST_F(CustomExamplesTest, ShuffleChannels) {
  ExpectAgrees("[2,6,3,4]", "ShuffleChannels-0(%x) {axis: 1, group: 3}",
               (2 * 6 * 3 * 4) * 2);
}

// The first of two kernels brings all elements in.
TEST_F(CustomExamplesTest, Mvn) {
  ExpectAgrees("[2,3,5,8]",
               "MVN-0(%x) {eps: 0.001, across_channels: false, "
               "normalize_variance: true}",
               (2 * 3 * 5 * 8) * 2);
  EXPECT_THAT(stages_, ElementsAre("layer@line_sums", "layer@scale"));
  ExpectAgrees("[1,3,5,8]",
               "MVN-0(%x) {eps: 0.001, across_channels: false, "
               "normalize_variance: false}",
               (1 * 3 * 5 * 8) * 2);
}

TEST_F(CustomExamplesTest, RegionYolo) {
  // Two boxes of 4 + 1 + 3 entries.
  ExpectAgrees("[2,16,3,5]",
               "RegionYolo-0(%x) {anchors: [], axis: 1, coords: 4, classes: 3, "
               "end_axis: 3, num: 2, do_softmax: true, mask: []}",
               2 * (2 * 16 * 3 * 5) * 2);
  ExpectAgrees("[1,24,3,5]",
               "RegionYolo-0(%x) {anchors: [], axis: 1, coords: 4, classes: 3, "
               "end_axis: 3, num: 5, do_softmax: false, mask: [0, 1, 2]}",
               2 * (1 * 24 * 3 * 5) * 2);
}

TEST_F(CustomExamplesTest, CtcGreedyDecoder) {
  const std::string mask =
      "%m = Constant-0() {value: f32[6,2] {1,1, 1,1, 1,1, 1,1, 1,0, 1,0}}\n";
  for (const char* const merges : {"true", "false"}) {
    ExpectAgrees(
        "[6,2,4]",
        absl::StrCat(mask, "CTCGreedyDecoder-0(%x, %m) {ctc_merge_repeated: ",
                     merges, "}"),
        0);
  }
}

TEST_F(CustomExamplesTest, FakeQuantize) {
  const std::string one = R"(%a = Constant-0() {value: f32[] {-2}}
%b = Constant-0() {value: f32[] {2}}
%c = Constant-0() {value: f32[] {-1}}
%d = Constant-0() {value: f32[] {3}}
)";
  ExpectAgrees("[1,3,4,5]",
               one +
                   "FakeQuantize-0(%x, %a, %b, %c, %d) {levels: 256, "
                   "auto_broadcast: numpy}",
               2 * (3 * 4 * 5) * 2);
  const std::string each = R"(%a = Constant-0() {value: f32[1,3,1,1] {-2,-1,-3}}
%b = Constant-0() {value: f32[1,3,1,1] {2,1,2.5}}
%c = Constant-0() {value: f32[1,3,1,1] {-1,0,1}}
%d = Constant-0() {value: f32[1,3,1,1] {3,1,2}}
)";
  ExpectAgrees("[2,3,4,5]",
               each +
                   "FakeQuantize-0(%x, %a, %b, %c, %d) {levels: 16, "
                   "auto_broadcast: numpy}",
               2 * (2 * 3 * 4 * 5) * 2);
}

// Row by row, in and out.
TEST_F(CustomExamplesTest, Binarization) {
  const std::string ranges =
      R"(%a = Constant-0() {value: f32[1,3,1,1] {0.3,-1.1,1.2}}
%c = Constant-0() {value: f32[] {-1}}
%d = Constant-0() {value: f32[] {1}}
)";
  ExpectAgrees("[1,3,4,5]",
               ranges +
                   "FakeQuantize-0(%x, %a, %a, %c, %d) {levels: 2, "
                   "auto_broadcast: numpy}",
               2 * (3 * 4 * 5) * 2);
}

std::string Bits(int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", i * 5 % 7 % 2);
  }
  return text;
}

// For each row of an output channel the rows of 4 channels that its windows
// see, and the row of the output.
TEST_F(CustomExamplesTest, BinaryConvolution) {
  const auto layer = [](const std::string& weights, const char* rest) {
    return absl::StrCat("%w = Constant-0() {value: u1", weights, "}\n",
                        "BinaryConvolution-1(%x, %w) {mode: xnor-popcount, ",
                        rest, "}");
  };
  ExpectAgrees("[1,4,6,7]",
               layer(absl::StrCat("[3,4,3,3] {", Bits(3 * 4 * 9), "}"),
                     "strides: [1,1], pads_begin: [1,1], pads_end: [1,1], "
                     "dilations: [1,1], auto_pad: explicit, pad_value: -1"),
               3 * ((3 * 6 - 2) * 4 * 7 * 2 + 6 * 7 * 2));
  ExpectAgrees("[1,4,6,7]",
               layer(absl::StrCat("[3,4,1,1] {", Bits(3 * 4), "}"),
                     "strides: [2,1], pads_begin: [0,0], pads_end: [0,0], "
                     "dilations: [1,1], auto_pad: explicit, pad_value: 0"),
               3 * (3 * 4 * 7 * 2 + 3 * 7 * 2));
}

std::string Resize(const char* sizes, const char* attributes) {
  return absl::StrCat("%s = Constant-0() {value: i64[2] {", sizes, "}}\n",
                      "%f = Constant-0() {value: f32[2] {1,1}}\n",
                      "%a = Constant-0() {value: i64[2] {2,3}}\n",
                      "Interpolate-4(%x, %s, %f, %a) {", attributes,
                      ", shape_calculation_mode: sizes, pads_begin: [0,0,0,0], "
                      "pads_end: [0,0,0,0], cube_coeff: -0.75}");
}

TEST_F(CustomExamplesTest, Resample) {
  ExpectAgrees("[2,3,4,5]",
               Resize("8,10",
                      "mode: nearest, coordinate_transformation_mode: "
                      "asymmetric, nearest_mode: floor, antialias: false"),
               2 * 3 * 8 * (5 * 2 + 10 * 2));
  ExpectAgrees("[1,3,8,9]",
               Resize("4,3",
                      "mode: linear, coordinate_transformation_mode: "
                      "half_pixel, nearest_mode: floor, antialias: true"),
               0);
}

std::string Convolution(const std::string& shape, int64_t count,
                        const char* strides, const char* pads) {
  return absl::StrCat(
      "%w = Constant-0() {value: f32", shape, " {", NumbersText(count),
      "}}\nConvolution-1(%x, %w) {strides: ", strides, ", pads_begin: ", pads,
      ", pads_end: ", pads, ", dilations: [1,1], auto_pad: explicit}");
}

// For each row of an output channel a row of all input channels.
TEST_F(CustomExamplesTest, Convolution1x1) {
  ExpectAgrees("[2,12,4,5]",
               Convolution("[3,12,1,1]", 3 * 12, "[1,1]", "[0,0]"),
               2 * 3 * 4 * (12 * 5 * 2 + 5 * 2));
  ExpectAgrees("[1,12,4,5]",
               Convolution("[3,12,1,1]", 3 * 12, "[2,2]", "[0,0]"),
               3 * 2 * (12 * 5 * 2 + 3 * 2));
  // With channels last each row comes once.
  ExpectAgrees("[2,12,4,5]",
               Convolution("[3,12,1,1]", 3 * 12, "[1,1]", "[0,0]"),
               2 * 4 * (12 * 5 * 2 + 5 * 3 * 2), kChannelsLast);
}

// Three rows, two at the borders.
TEST_F(CustomExamplesTest, Convolution3x3) {
  ExpectAgrees("[1,4,6,7]",
               Convolution("[3,4,3,3]", 3 * 4 * 9, "[1,1]", "[1,1]"),
               3 * ((3 * 6 - 2) * 4 * 7 * 2 + 6 * 7 * 2));
  ExpectAgrees("[2,4,6,7]",
               Convolution("[3,4,3,3]", 3 * 4 * 9, "[2,2]", "[0,0]"),
               2 * 3 * 2 * (3 * 4 * 7 * 2 + 3 * 2));
}

// No operation of the core's.
struct CorrelateAttributes : public AttributesOf<CorrelateAttributes> {
  int64_t pad = 0, kernel_size = 1, max_displacement = 1;
  int64_t stride_1 = 1, stride_2 = 1;
  int64_t border() const { return max_displacement + kernel_size / 2; }

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("pad", pad);
    visitor.Visit("kernel_size", kernel_size);
    visitor.Visit("max_displacement", max_displacement);
    visitor.Visit("stride_1", stride_1);
    visitor.Visit("stride_2", stride_2);
  }
};

absl::Status InferCorrelate(InferContext& context) {
  const auto& a = context.attributes<CorrelateAttributes>();
  PartialShape shape = context.shape(0);
  const int64_t side = 2 * (a.max_displacement / a.stride_2) + 1;
  shape[1] = side * side;
  for (const int axis : {2, 3}) {
    const int64_t inside =
        context.shape(0)[axis].min() + 2 * a.pad - 2 * a.border();
    shape[axis] = (inside + a.stride_1 - 1) / a.stride_1;
  }
  context.SetOutput(0, context.type(0), shape);
  return absl::OkStatus();
}

const OpInfo* FindWithCorrelate(absl::string_view type, int version) {
  static const OpInfo& correlate =
      *new OpInfo{"Correlate",
                  0,
                  "",
                  OpsetRange::None(),
                  {2, 2},
                  {1, 1},
                  &MakeAttributes<CorrelateAttributes>,
                  &InferCorrelate,
                  {},
                  kNoTraits,
                  "tests"};
  return type == "Correlate" ? &correlate : FindOp(type, version);
}

// The mean over channels and a window of products of the two images, for each
// shift of the second; 0 beyond them.
std::vector<float> Correlated(const CorrelateAttributes& a, int64_t channels,
                              int64_t height, int64_t width, int64_t out_height,
                              int64_t out_width) {
  const auto at = [&](int64_t c, int64_t y, int64_t x) {
    if (y < 0 || y >= height || x < 0 || x >= width) return 0.0;
    const int64_t i = (c * height + y) * width + x;
    return static_cast<double>(i * 37 % 101) / 16 - 3;
  };
  std::vector<float> out;
  const int64_t most = a.max_displacement / a.stride_2 * a.stride_2;
  for (int64_t dy = -most; dy <= most; dy += a.stride_2) {
    for (int64_t dx = -most; dx <= most; dx += a.stride_2) {
      for (int64_t y = 0; y < out_height; ++y) {
        for (int64_t x = 0; x < out_width; ++x) {
          double sum = 0;
          for (int64_t c = 0; c < channels; ++c) {
            for (int64_t i = 0; i < a.kernel_size * a.kernel_size; ++i) {
              const int64_t top = y * a.stride_1 + a.max_displacement +
                                  i / a.kernel_size - a.pad;
              const int64_t left = x * a.stride_1 + a.max_displacement +
                                   i % a.kernel_size - a.pad;
              sum += at(c, top, left) * at(c, top + dy, left + dx);
            }
          }
          out.push_back(static_cast<float>(
              sum /
              static_cast<double>(a.kernel_size * a.kernel_size * channels)));
        }
      }
    }
  }
  return out;
}

TEST_F(CustomExamplesTest, Correlate) {
  CorrelateAttributes attributes;
  attributes.pad = 2;
  attributes.kernel_size = 3;
  attributes.max_displacement = 2;
  attributes.stride_2 = 2;
  const auto model = ParseModelText(
      R"(%x = Parameter-0() {shape: [1,3,6,5], element_type: f32}  # x
%z = Parameter-0() {shape: [1,3,6,5], element_type: f32}  # z
%y = Correlate-0(%x, %z) {pad: 2, kernel_size: 3, max_displacement: 2, stride_1: 1, stride_2: 2}  # layer
%0 = Result-0(%y) {}  # out
)",
      &FindWithCorrelate);
  ASSERT_TRUE(model.ok()) << model.status();
  const auto compiled = core_.Compile(
      *model, "VPU", {{"CONFIG_FILE", kFile}, {"PERF_COUNT", "YES"}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const auto got = InferOnce(*compiled);
  ASSERT_TRUE(got.ok()) << got.status();
  ExpectNear(got->values, Correlated(attributes, 3, 6, 5, 4, 3));
  // For each of 9 shifts and 3 channels, 4 rows of outputs have 3 lines of a
  // window, 12 rows of 10 bytes of the first image; those of the second that
  // are shifted by -2 and 2 lie beyond it 3 times.
  EXPECT_EQ(got->bytes, (9 * 3 * 12 + 3 * 3 * (9 + 12 + 9)) * 10);
}

}  // namespace
}  // namespace dovetail::vpu
