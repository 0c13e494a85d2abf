#include "dovetail/backends/vpu/compiler/lower_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/engine_layers.h"
#include "dovetail/core/ops/text/parse.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Network> Lowered(absl::string_view text) {
  const absl::StatusOr<Model> model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return model.status();
  return LowerModel(*DefaultMachine(), *model);
}

TEST(LowerModelTest, BiasAndActivationGoIntoTheConvolution) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [2,1,8,8], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {1, 2}}
    %c = Convolution-1(%x, %w) {strides: [1,1]}
    %b = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %a = Add-1(%c, %b) {}
    %y = Relu-0(%a) {}
    %r = Result-0(%y) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  ASSERT_EQ(network->size(), 4u);
  EXPECT_EQ((*network)[0].kind, LayerKind::kInput);
  EXPECT_EQ((*network)[1].kind, LayerKind::kConvolution);
  EXPECT_EQ((*network)[1].repeats, 2);
  EXPECT_EQ((*network)[1].macs, 2 * 2 * 8 * 8);
  EXPECT_EQ((*network)[2].kind, LayerKind::kView);
  EXPECT_EQ((*network)[3].kind, LayerKind::kView);
  EXPECT_THAT((*network)[3].reason, HasSubstr("goes into"));
}

TEST(LowerModelTest, RulesOfEnginesAreNamed) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [1,1,20,20], element_type: f32}
    %w = Constant-0() {value: f32[1,1,2,2] {1, 2, 3, 4}}
    %d = Convolution-1(%x, %w) {strides: [1,1], dilations: [2,2]}
    %s = Convolution-1(%d, %w) {strides: [1,2]}
    %m = Convolution-1(%s, %w) {strides: [9,9]}
    %r = Result-0(%m) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  ASSERT_EQ(network->size(), 4u);
  EXPECT_THAT((*network)[1].reason, HasSubstr("a dilation of 2"));
  EXPECT_THAT((*network)[2].reason, HasSubstr("strides 1 and 2"));
  EXPECT_THAT((*network)[3].reason, HasSubstr("a stride of 9"));
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ((*network)[i].kind, LayerKind::kProducts);
  }
}

// The last layer of a model of one convolution or pool.
Layer Only(absl::string_view shape, absl::string_view rest) {
  const auto network = Lowered(
      absl::StrCat("%x = Parameter-0() {shape: ", shape,
                   ", element_type: f32}\n", rest, "\n%r = Result-0(%y) {}"));
  EXPECT_TRUE(network.ok()) << network.status();
  return network.ok() ? network->back() : Layer();
}

TEST(LowerModelTest, KernelsOfMoreThanFifteenAreShaves) {
  const auto kernel = [](int extent) {
    return Only("[1,1,40,40]",
                absl::StrCat("%w = Parameter-0() {shape: [1,1,1,", extent,
                             "], element_type: f32}\n"
                             "%y = Convolution-1(%x, %w) {strides: [1,1]}"));
  };
  EXPECT_EQ(kernel(15).kind, LayerKind::kConvolution);
  EXPECT_EQ(kernel(17).kind, LayerKind::kProducts);
  EXPECT_THAT(kernel(17).reason, HasSubstr("a kernel of 17, more than 15"));
  // Two of 8, but not with padding.
  EXPECT_EQ(kernel(16).kind, LayerKind::kConvolution) << kernel(16).reason;
  const Layer padded = Only("[1,1,40,40]",
                            "%w = Parameter-0() {shape: [1,1,1,16], "
                            "element_type: f32}\n"
                            "%y = Convolution-1(%x, %w) {strides: [1,1], "
                            "pads_begin: [0,8], pads_end: [0,7]}");
  EXPECT_THAT(padded.reason, HasSubstr("a kernel of 16, more than 15"));
}

TEST(LowerModelTest, StridesOfRowsDoNotCountWhereTheKernelCoversAll) {
  const Layer layer =
      Only("[1,1,2,20]",
           "%w = Constant-0() {value: f32[1,1,2,2] {1, 2, 3, 4}}\n"
           "%y = Convolution-1(%x, %w) {strides: [1,2]}");
  EXPECT_EQ(layer.kind, LayerKind::kConvolution) << layer.reason;
}

TEST(LowerModelTest, ConvolutionsOfOtherRanksAreShaves) {
  const Layer layer = Only("[1,1,20]",
                           "%w = Constant-0() {value: f32[1,1,2] {1, 2}}\n"
                           "%y = Convolution-1(%x, %w) {strides: [1]}");
  EXPECT_EQ(layer.kind, LayerKind::kProducts);
  EXPECT_THAT(layer.reason, HasSubstr("rank 3"));
}

Layer Pool(absl::string_view type, int extent, int kernel, int stride,
           bool excludes_padding = false, int padding = 0,
           absl::string_view rounding = "floor") {
  const bool is_mean = type == "AvgPool-1";
  return Only(
      absl::StrCat("[1,16,", extent, ",", extent, "]"),
      absl::StrCat("%y = ", type, "(%x) {kernel: [", kernel, ",", kernel,
                   "], strides: [", stride, ",", stride, "], pads_begin: [",
                   padding, ",", padding, "], pads_end: [", padding, ",",
                   padding, "], rounding_type: ", rounding,
                   !is_mean           ? ""
                   : excludes_padding ? ", exclude-pad: true"
                                      : ", exclude-pad: false",
                   "}"));
}

TEST(LowerModelTest, RulesOfPoolsAreNamed) {
  EXPECT_EQ(Pool("MaxPool-1", 28, 3, 2).kind, LayerKind::kPool);
  EXPECT_EQ(Pool("AvgPool-1", 28, 3, 1).kind, LayerKind::kPool);
  const auto reason = [](const Layer& layer) {
    EXPECT_EQ(layer.kind, LayerKind::kProducts);
    return layer.reason;
  };
  EXPECT_THAT(reason(Pool("MaxPool-1", 40, 16, 1)), HasSubstr("kernel of 16"));
  EXPECT_THAT(reason(Pool("MaxPool-1", 40, 3, 9)), HasSubstr("stride of 9"));
  EXPECT_THAT(reason(Pool("AvgPool-1", 28, 3, 2)),
              HasSubstr("3x3 with stride"));
  EXPECT_THAT(reason(Pool("AvgPool-1", 29, 5, 3)),
              HasSubstr("5x5 with stride"));
  EXPECT_THAT(reason(Pool("AvgPool-1", 29, 2, 2)), HasSubstr("odd extent"));
  EXPECT_THAT(reason(Pool("MaxPool-1", 702, 2, 2)), HasSubstr("1000x700"));
  EXPECT_THAT(reason(Pool("AvgPool-1", 5, 5, 1, true, 2)),
              HasSubstr("5x5 without padding to 5x5"));
  EXPECT_EQ(Pool("AvgPool-1", 5, 5, 1, false, 2).kind, LayerKind::kPool);
}

TEST(LowerModelTest, WidthAndHeightOfPoolsHaveTheirOwnLimits) {
  const auto reason = [](absl::string_view shape, absl::string_view strides) {
    return Only(shape, absl::StrCat("%y = MaxPool-1(%x) {kernel: [2,2], "
                                    "strides: ",
                                    strides,
                                    ", pads_begin: [0,0], pads_end: [0,0], "
                                    "rounding_type: floor}"))
        .reason;
  };
  EXPECT_EQ(reason("[1,1,700,1000]", "[2,2]"), "");
  EXPECT_THAT(reason("[1,1,8,1002]", "[2,2]"), HasSubstr("1000x700"));
  EXPECT_THAT(reason("[1,1,702,8]", "[2,2]"), HasSubstr("1000x700"));
  EXPECT_THAT(reason("[1,1,8,8]", "[1,2]"), HasSubstr("strides 1 and 2"));
}

// An engine that pools 13 pixels by two has 7 outputs: of an even window it
// pads odd extents.
TEST(LowerModelTest, PoolsFitAsEnginesRound) {
  const Layer down = Pool("MaxPool-1", 13, 2, 2);
  EXPECT_EQ(down.kind, LayerKind::kProducts);
  EXPECT_THAT(down.reason,
              HasSubstr("6 outputs of 13 pixels, neither of a pool that rounds "
                        "down nor of one that rounds up"));
  EXPECT_EQ(Pool("MaxPool-1", 13, 2, 2, false, 0, "ceil").kind,
            LayerKind::kPool);
  for (const char* const rounding : {"floor", "ceil"}) {
    EXPECT_EQ(Pool("MaxPool-1", 14, 2, 2, false, 0, rounding).kind,
              LayerKind::kPool);
    EXPECT_EQ(Pool("MaxPool-1", 112, 3, 2, false, 0, rounding).kind,
              LayerKind::kPool);
    EXPECT_EQ(Pool("AvgPool-1", 13, 3, 1, false, 1, rounding).kind,
              LayerKind::kPool);
  }
}

TEST(LowerModelTest, TheBlackListKeepsLayersFromEngines) {
  const absl::StatusOr<Model> model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1,1,20,20], element_type: f32}
    %w = Constant-0() {value: f32[1,1,2,2] {1, 2, 3, 4}}
    %c = Convolution-1(%x, %w) {strides: [1,1]}  # kept
    %d = Convolution-1(%c, %w) {strides: [1,1]}  # listed
    %p = MaxPool-1(%d) {kernel: [3,3], strides: [1,1], pads_begin: [0,0], pads_end: [0,0], rounding_type: floor}  # pool
    %r = Result-0(%p) {})");
  ASSERT_TRUE(model.ok()) << model.status();
  const BlackList list = {"listed", "pool", "nobody"};
  const auto network = LowerModel(*DefaultMachine(), *model, list);
  ASSERT_TRUE(network.ok()) << network.status();
  ASSERT_EQ(network->size(), 4u);
  EXPECT_EQ((*network)[1].kind, LayerKind::kConvolution);
  for (const int i : {2, 3}) {
    EXPECT_EQ((*network)[i].kind, LayerKind::kProducts);
    EXPECT_EQ((*network)[i].reason, "the black list of engines names it");
  }
  EXPECT_EQ((*network)[3].macs, 16 * 16 * 9);
  EXPECT_EQ(BlackListOf(*network), (BlackList{"listed", "pool"}));
}

TEST(LowerModelTest, UnitsHaveTheirReason) {
  const absl::StatusOr<Model> model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1,1,20,20], element_type: f32}
    %w = Constant-0() {value: f32[1,1,2,2] {1, 2, 3, 4}}
    %d = Convolution-1(%x, %w) {strides: [1,1], dilations: [2,2]}
    %c = Convolution-1(%d, %w) {strides: [1,1]}
    %e = Sigmoid-0(%c) {}
    %r = Result-0(%e) {})");
  ASSERT_TRUE(model.ok()) << model.status();
  std::vector<std::string> units;
  const std::vector<Node*> order = model->TopologicalOrder().value();
  for (const Node* node : order) {
    if (!node->Is("Convolution") && !node->Is("Sigmoid")) continue;
    units.push_back(UnitOf(*DefaultMachine(), *node));
  }
  EXPECT_THAT(units,
              ::testing::ElementsAre("SHAVE: a dilation of 2", "NCE", ""));
}

TEST(LowerModelTest, ProductsOfConstantsAreEngines) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [3,2], element_type: f32}
    %w = Constant-0() {value: f32[2,1] {1, 2}}
    %c = MatMul-0(%x, %w) {}
    %g = MatMul-0(%x, %x) {transpose_b: true}
    %r = Result-0(%c) {}
    %q = Result-0(%g) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  ASSERT_EQ(network->size(), 3u);
  EXPECT_EQ((*network)[1].kind, LayerKind::kConvolution);
  EXPECT_EQ((*network)[1].shape.out_width, 3);
  EXPECT_EQ((*network)[1].shape.in_channels, 2);
  EXPECT_EQ((*network)[2].kind, LayerKind::kProducts);
  EXPECT_EQ((*network)[2].macs, 18);
}

TEST(LowerModelTest, DepthwiseIsDenseTiles) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [1,512,16,32], element_type: f32}
    %w = Parameter-0() {shape: [512,1,1,3,3], element_type: f32}
    %c = GroupConvolution-1(%x, %w) {pads_begin: [1,1], pads_end: [1,1]}
    %r = Result-0(%c) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  const Layer& layer = network->back();
  EXPECT_EQ(layer.kind, LayerKind::kConvolution);
  // 16 tiles of 36 steps and an overhead of 19; 8 of 64 channels cost 1240.
  EXPECT_EQ(layer.shape.in_channels, 32);
  EXPECT_EQ(layer.repeats, 16);
  EXPECT_THAT(layer.reason, HasSubstr("dense tiles"));
}

TEST(LowerModelTest, ShapesMustBeStatic) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %y = Relu-0(%x) {}
    %r = Result-0(%y) {})");
  EXPECT_THAT(network.status().message(), HasSubstr("not static"));
}

// Each of 4 x 5 x 5 numbers meets 2 x 2 x 2 weights.
TEST(LowerModelTest, TransposedConvolutionsAreProductsOfShaves) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [1,4,5,5], element_type: f32}
    %w = Parameter-0() {shape: [4,2,2,2], element_type: f32}
    %c = ConvolutionBackpropData-1(%x, %w) {strides: [2,2]}
    %r = Result-0(%c) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->back().kind, LayerKind::kProducts);
  EXPECT_EQ(network->back().macs, 4 * 5 * 5 * 2 * 2 * 2);
}

// Two images of three steps; four gates of five, of seven inputs and the five.
TEST(LowerModelTest, SequencesMultiplyAtEachStep) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [2,3,7], element_type: f32}
    %h = Parameter-0() {shape: [2,1,5], element_type: f32}
    %c = Parameter-0() {shape: [2,1,5], element_type: f32}
    %l = Constant-0() {value: i64[2] {3, 3}}
    %w = Parameter-0() {shape: [1,20,7], element_type: f32}
    %r = Parameter-0() {shape: [1,20,5], element_type: f32}
    %b = Parameter-0() {shape: [1,20], element_type: f32}
    %s = LSTMSequence-5(%x, %h, %c, %l, %w, %r, %b) {hidden_size: 5, direction: forward}
    %0 = Result-0(%s) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->back().kind, LayerKind::kProducts);
  EXPECT_EQ(network->back().macs, 2 * 3 * 20 * (7 + 5));
}

// Clamp's open bounds, and an input that is left out, are nobody's layers.
TEST(LowerModelTest, InputsThatAreLeftOpenAreNone) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [1,2,6,8], element_type: f32}
    %q = ScaledDotProductAttention-13(%x, %x, %x) {causal: false}
    %0 = Result-0(%q) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->back().type, "ScaledDotProductAttention");
}

TEST(LowerModelTest, NothingIsDoneWithoutElements) {
  const auto network = Lowered(R"(
    %x = Parameter-0() {shape: [0,3], element_type: f32}
    %y = Relu-0(%x) {}
    %r = Result-0(%y) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->back().kind, LayerKind::kView);
  EXPECT_EQ(network->back().reason, "no elements");
}

// An If is the body of more work, whose layers have its name.
TEST(LowerModelTest, AnIfCountsAsTheGreaterOfItsBodies) {
  const auto network = Lowered(R"(
    %c = Parameter-0() {shape: [], element_type: boolean}  # c
    %x = Parameter-0() {shape: [1,3,4,4], element_type: f32}  # x
    %y = Relu-0(%x) {}  # y
    %n = If-8(%c, %y) {}  # n
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %1 = Sigmoid-0(%0) {}  # small
        %r = Result-0(%1) {}
      }
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %w = Constant-0() {value: f32[3,3,1,1] {1,2,3,4,5,6,7,8,9}}
        %1 = Convolution-1(%0, %w) {strides: [1,1]}  # big
        %b = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
        %2 = Add-1(%1, %b) {}  # bias
        %r = Result-0(%2) {}
      }
    %s = Tanh-0(%n) {}  # s
    %q = Result-0(%s) {})");
  ASSERT_TRUE(network.ok()) << network.status();
  ASSERT_EQ(network->size(), 7u);
  EXPECT_EQ((*network)[3].name, "n/big");
  EXPECT_EQ((*network)[3].kind, LayerKind::kConvolution);
  EXPECT_EQ((*network)[3].inputs, std::vector<int>{2});
  EXPECT_EQ((*network)[3].reason, "of the else-body, which has more work");
  EXPECT_EQ((*network)[4].reason, "goes into n/big");
  EXPECT_EQ((*network)[5].name, "n");
  EXPECT_EQ((*network)[5].kind, LayerKind::kView);
  EXPECT_EQ((*network)[5].reason, "counts as its body of more work");
  EXPECT_EQ((*network)[6].inputs, std::vector<int>{3});
  EXPECT_EQ((*network)[6].host_bytes, 2 * 3 * 4 * 4);
}

}  // namespace
}  // namespace dovetail::vpu
