#include "dovetail/backends/common/fusion/epilogue.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// x: [1,2,3,3], as something has computed it; "t" is a tensor of its shape.
Model ModelOf(const std::string& rest) {
  auto model = ParseModelText(absl::StrCat(
      "%p = Parameter-0() {shape: [1,2,3,3], element_type: f32}  # p\n"
      "%t = Parameter-0() {shape: [1,2,3,3], element_type: f32}  # t\n"
      "%x = Relu-0(%p) {}  # x\n",
      rest, "%r = Result-0(%y) {}  # out\n"));
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? *std::move(model) : Model("broken");
}

bool IsSigmoid(const Node& node) { return node.Is("Sigmoid"); }

EpilogueSupport Support() {
  EpilogueSupport support;
  support.takes_activation = &IsSigmoid;
  return support;
}

// What follows "x". Everything is ready but what is named.
Epilogue Find(const Model& model, const EpilogueSupport& support = Support(),
              const std::set<std::string>& not_ready = {}) {
  const Node* const x = model.FindNode("x");
  if (x == nullptr) return {};
  return FindEpilogue({const_cast<Node*>(x), 0}, support, [&](Value value) {
    return not_ready.count(std::string(value.node->name())) == 0;
  });
}

struct Text {
  std::string operator()(const AffineOp& op) const {
    return absl::StrCat("affine ", absl::StrJoin(op.scale, ","), " ",
                        absl::StrJoin(op.shift, ","));
  }
  std::string operator()(const ClampOp& op) const {
    return absl::StrCat("clamp ", absl::StrJoin(op.low, ","), " ",
                        absl::StrJoin(op.high, ","));
  }
  std::string operator()(const SlopeOp& op) const {
    return absl::StrCat("slope ", absl::StrJoin(op.slope, ","));
  }
  std::string operator()(const ActivationOp& op) const {
    return std::string(op.node->op().type);
  }
  std::string operator()(const ResidualOp& op) const {
    return absl::StrCat(op.node->op().type, " of ", op.value.node->name(), " ",
                        op.scale, " ", op.shift);
  }
  std::string operator()(const QuantizeOp& op) const {
    return absl::StrCat("quantize ", op.steps, op.is_whole ? " whole" : "");
  }
  std::string operator()(const StoreOp& op) const {
    return absl::StrCat("store ", ElementTypeName(op.type));
  }
};

std::string TextOf(const Epilogue& epilogue) {
  return absl::StrJoin(epilogue.stages, "; ",
                       [](std::string* out, const EpilogueStage& stage) {
                         absl::StrAppend(out, std::visit(Text(), stage.op));
                       });
}

std::string Constant(const char* id, const char* value) {
  return absl::StrCat(id, " = Constant-0() {value: f32", value, "}\n");
}

TEST(EpilogueTest, IsAChainOfOperations) {
  const Model model = ModelOf(Constant("%s", "[1,2,1,1] {2, 3}") +
                              Constant("%b", "[2,1,1] {5, 7}") +
                              "%a = Multiply-1(%x, %s) {}  # scale\n"
                              "%c = Add-1(%b, %a) {}  # bias\n"
                              "%d = Add-1(%c, %t) {}  # sum\n"
                              "%e = Clamp-0(%d) {min: -1, max: 6}  # clamp\n"
                              "%y = Sigmoid-0(%e) {}  # act\n");
  const Epilogue epilogue = Find(model);
  EXPECT_EQ(TextOf(epilogue),
            "affine 2,3 0,0; affine 1,1 5,7; Add of t 1 0; clamp -1,-1 6,6; "
            "Sigmoid");
  EXPECT_TRUE(epilogue.Find<AffineOp>(0)->IsScale());
  EXPECT_FALSE(epilogue.Find<AffineOp>(0)->IsBias());
  EXPECT_TRUE(epilogue.Find<AffineOp>(1)->IsBias());
  EXPECT_EQ(epilogue.nodes().size(), 5u);
  EXPECT_EQ(epilogue.result().node->name(), "act");
  EXPECT_EQ(epilogue.type(), ElementType::kF32);
  EXPECT_EQ(epilogue.First(2).result().node->name(), "bias");
  EXPECT_EQ(epilogue.First(0).result().node->name(), "x");
}

TEST(EpilogueTest, ArithmeticWithConstantsIsSaidOnce) {
  const struct {
    const char *operation, *text;
  } cases[] = {
      {"Subtract-1(%x, %k)", "affine 1,1 -2,-4"},
      {"Subtract-1(%k, %x)", "affine -1,-1 2,4"},
      {"Divide-1(%x, %k)", "affine 0.5,0.25 0,0"},
      {"Maximum-1(%x, %k)", "clamp 2,4 inf,inf"},
      {"Minimum-1(%k, %x)", "clamp -inf,-inf 2,4"},
      {"PRelu-0(%x, %k)", "slope 2,4"},
      {"Negative-0(%x)", "affine -1,-1 0,0"},
      {"Divide-1(%k, %x)", ""},
      {"Tanh-0(%x)", ""},
  };
  for (const auto& [operation, text] : cases) {
    const Model model = ModelOf(Constant("%k", "[2,1,1] {2, 4}") +
                                "%y = " + operation + " {}\n");
    EXPECT_EQ(TextOf(Find(model)), text) << operation;
  }
}

TEST(EpilogueTest, ConstantsVaryAlongTheAxisOfChannelsOnly) {
  const Model model =
      ModelOf(Constant("%k", "[3] {2, 3, 4}") + "%y = Add-1(%x, %k) {}\n");
  EXPECT_EQ(TextOf(Find(model)), "");
  EpilogueSupport support = Support();
  support.channel_axis = -1;
  EXPECT_EQ(TextOf(Find(model, support)), "affine 1,1,1 2,3,4");
}

TEST(EpilogueTest, EndsWhereSomethingElseReadsAValue) {
  const Model model = ModelOf(
      "%a = Negative-0(%x) {}\n%s = Sigmoid-0(%a) {}\n"
      "%y = Multiply-1(%a, %s) {}\n");
  EXPECT_EQ(TextOf(Find(model)), "affine -1,-1 0,0");
}

TEST(EpilogueTest, EndsAtWhatIsNotReady) {
  const Model model =
      ModelOf("%a = Negative-0(%x) {}\n%y = Add-1(%a, %t) {}\n");
  EXPECT_EQ(TextOf(Find(model, Support(), {"t"})), "affine -1,-1 0,0");
  EpilogueSupport support = Support();
  support.max_stages = 1;
  EXPECT_EQ(TextOf(Find(model, support)), "affine -1,-1 0,0");
}

// ---- Bytes ----

std::string Quantized(const std::string& value, const char* low,
                      const char* high, const char* out_low,
                      const char* out_high, int levels) {
  return Constant("%il", low) + Constant("%ih", high) +
         Constant("%ol", out_low) + Constant("%oh", out_high) +
         absl::StrCat("%q = FakeQuantize-0(", value,
                      ", %il, %ih, %ol, %oh) {levels: ", levels, "}\n");
}

TEST(EpilogueTest, WholeLevelsAreStoredAsIntegers) {
  const Model model =
      ModelOf(Quantized("%x", "[] {0}", "[] {6}", "[] {0}", "[] {255}", 256) +
              "%y = Convert-0(%q) {destination_type: u8}  # bytes\n");
  const Epilogue epilogue = Find(model);
  EXPECT_EQ(TextOf(epilogue), "quantize 255 whole; store u8");
  EXPECT_EQ(epilogue.type(), ElementType::kU8);
  EpilogueSupport support = Support();
  support.stores_integers = false;
  EXPECT_EQ(TextOf(Find(model, support)), "quantize 255 whole");
}

TEST(EpilogueTest, LevelsThatTheTypeDoesNotHoldAreNotStored) {
  for (const char* range : {"[] {-1}", "[] {0.5}"}) {
    const Model model =
        ModelOf(Quantized("%x", "[] {0}", "[] {6}", range, "[] {255}", 256) +
                "%y = Convert-0(%q) {destination_type: u8}\n");
    EXPECT_EQ(TextOf(Find(model)), "quantize 255") << range;
  }
}

TEST(EpilogueTest, ResidualsMayBeBytesThatStandForFloats) {
  const Model model = ModelOf(
      "%i = Parameter-0() {shape: [1,2,3,3], element_type: u8}  # i\n"
      "%f = Convert-0(%i) {destination_type: f32}  # f\n" +
      Constant("%z", "[] {4}") + Constant("%s", "[] {0.5}") +
      "%g = Subtract-1(%f, %z) {}  # g\n"
      "%h = Multiply-1(%g, %s) {}  # h\n"
      "%y = Add-1(%x, %h) {}  # sum\n");
  const std::set<std::string> floats = {"f", "g", "h"};
  EXPECT_EQ(TextOf(Find(model, Support(), floats)), "");
  EpilogueSupport support = Support();
  support.takes_integer_residuals = true;
  const Epilogue epilogue = Find(model, support, floats);
  EXPECT_EQ(TextOf(epilogue), "Add of i 0.5 -2");
  EXPECT_EQ(epilogue.nodes().size(), 4u);
  // Where the floats are there, they are read.
  EXPECT_EQ(TextOf(Find(model, support)), "Add of h 1 0");
}

// ---- FakeQuantize ----

float Apply(const QuantizeOp& op, float x, int channel) {
  const float q =
      std::clamp(std::nearbyint(x * op.scale[channel] + op.shift[channel]),
                 0.0f, op.steps);
  return q * op.step[channel] + op.offset[channel];
}

struct Range {
  double in_low, in_high, out_low, out_high;
};

// As the specification of operations defines it.
double Defined(const Range& range, int levels, double x) {
  if (x <= range.in_low) return range.out_low;
  if (x > range.in_high) return range.out_high;
  const double level =
      (x - range.in_low) / (range.in_high - range.in_low) * (levels - 1);
  return std::nearbyint(level) / (levels - 1) *
             (range.out_high - range.out_low) +
         range.out_low;
}

// At numbers beyond the range and within, away from where rounding turns.
void ExpectQuantizes(const QuantizeOp& op, int channel, const Range& range,
                     int levels) {
  const double step = (range.in_high - range.in_low) / (levels - 1);
  for (double x = range.in_low - 3 * step; x < range.in_high + 3 * step;
       x += 0.3 * step) {
    const double level = (x - range.in_low) / step;
    if (std::abs(level - std::floor(level) - 0.5) < 0.01) continue;
    EXPECT_NEAR(Apply(op, static_cast<float>(x), channel),
                Defined(range, levels, x), 1e-4)
        << x << " of channel " << channel;
  }
}

TEST(QuantizeTest, IsFakeQuantize) {
  const Model model =
      ModelOf(Quantized("%x", "[2,1,1] {-1, 0}", "[2,1,1] {2, 8}",
                        "[2,1,1] {-1, 0.5}", "[2,1,1] {2, 4}", 16) +
              "%y = Negative-0(%q) {}\n");
  const Epilogue epilogue = Find(model);
  const auto* quantize = epilogue.Find<QuantizeOp>(0);
  ASSERT_NE(quantize, nullptr);
  EXPECT_FALSE(quantize->is_whole);
  ExpectQuantizes(*quantize, 0, {-1, 2, -1, 2}, 16);
  ExpectQuantizes(*quantize, 1, {0, 8, 0.5, 4}, 16);
}

TEST(QuantizeTest, SignedLevelsAreWhole) {
  const Model model = ModelOf(
      Quantized("%x", "[] {-2}", "[] {2}", "[] {-128}", "[] {127}", 256) +
      "%y = Convert-0(%q) {destination_type: i8}\n");
  const Epilogue epilogue = Find(model);
  ASSERT_EQ(TextOf(epilogue), "quantize 255 whole; store i8");
  ExpectQuantizes(*epilogue.Find<QuantizeOp>(0), 1, {-2, 2, -128, 127}, 256);
}

TEST(QuantizeTest, IsNotWhatCannotBeRounded) {
  const struct {
    const char *low, *high;
    int levels;
  } cases[] = {{"[] {1}", "[] {1}", 256},
               {"[] {2}", "[] {1}", 256},
               {"[] {0}", "[] {1}", 1 << 23}};
  for (const auto& [low, high, levels] : cases) {
    const Model model =
        ModelOf(Quantized("%x", low, high, "[] {0}", "[] {255}", levels) +
                "%y = Negative-0(%q) {}\n");
    EXPECT_EQ(TextOf(Find(model)), "") << low << " to " << high;
  }
}

}  // namespace
}  // namespace dovetail
