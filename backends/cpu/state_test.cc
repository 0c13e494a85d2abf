// Variables: kept by a request, in networks that plans and reference kernels
// share.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using ::testing::HasSubstr;

// A recurrence of a static shape: all of it is one plan.
constexpr char kStatic[] = R"(
  %x = Parameter-0() {shape: [2,8], element_type: f32}
  %w = Parameter-0() {shape: [8,8], element_type: f32}  # constant
  %start = Constant-0() {value: f32[2,8] {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}}
  %h = ReadValue-6(%start) {variable_id: "h", variable_type: f32, variable_shape: [2,8]}
  %m = MatMul-0(%h, %w) {}
  %a = Add-1(%m, %x) {}
  %t = Tanh-0(%a) {}
  %keep = Assign-6(%t) {variable_id: "h"}
  %o = Result-0(%t) {})";

// What a decoder does: keys and values grow by each step.
constexpr char kGrowing[] = R"(
  %x = Parameter-0() {shape: [?,?,16], element_type: f32}
  %wq = Parameter-0() {shape: [16,16], element_type: f32}  # constant_q
  %wk = Parameter-0() {shape: [16,16], element_type: f32}  # constant_k
  %wv = Parameter-0() {shape: [16,16], element_type: f32}  # constant_v
  %split = Constant-0() {value: i64[4] {0, 0, 2, 8}}
  %order = Constant-0() {value: i64[4] {0, 2, 1, 3}}
  %zero = Constant-0() {value: i64[] {0}}
  %first = Constant-0() {value: i64[1] {0}}
  %shape = ShapeOf-3(%x) {output_type: i64}
  %batch = Gather-8(%shape, %first, %zero) {batch_dims: 0}
  %rest = Constant-0() {value: i64[3] {2, 0, 8}}
  %none = Concat-0(%batch, %rest) {axis: 0}
  %nothing = Constant-0() {value: f32[] {0}}
  %empty = Broadcast-3(%nothing, %none) {mode: numpy}
  %ks = ReadValue-6(%empty) {variable_id: "keys", variable_type: f32, variable_shape: [?,2,?,8]}
  %vs = ReadValue-6(%empty) {variable_id: "values", variable_type: f32, variable_shape: [?,2,?,8]}
  %q = MatMul-0(%x, %wq) {}
  %k = MatMul-0(%x, %wk) {}
  %v = MatMul-0(%x, %wv) {}
  %q4 = Reshape-1(%q, %split) {special_zero: true}
  %k4 = Reshape-1(%k, %split) {special_zero: true}
  %v4 = Reshape-1(%v, %split) {special_zero: true}
  %qt = Transpose-1(%q4, %order) {}
  %kt = Transpose-1(%k4, %order) {}
  %vt = Transpose-1(%v4, %order) {}
  %ka = Concat-0(%ks, %kt) {axis: 2}
  %va = Concat-0(%vs, %vt) {axis: 2}
  %kk = Assign-6(%ka) {variable_id: "keys"}
  %vk = Assign-6(%va) {variable_id: "values"}
  %a = ScaledDotProductAttention-13(%qt, %ka, %va) {causal: false}
  %at = Transpose-1(%a, %order) {}
  %join = Constant-0() {value: i64[3] {0, 0, 16}}
  %o = Reshape-1(%at, %join) {special_zero: true}
  %r = Result-0(%o) {})";

TEST(StateTest, ARecurrenceOfStaticShape) {
  const Network network(kStatic);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (int round = 0; round < 2; ++round) {
    VariableValues variables;
    for (unsigned i = 0; i < 5; ++i) {
      EXPECT_EQ(network.Check(*request, network.Inputs({{2, 8}}, i), 1e-4,
                              &variables),
                "");
    }
    ASSERT_TRUE(request->ResetVariables().ok());
  }
}

TEST(StateTest, EachRequestHasItsOwn) {
  const Network network(kStatic);
  const auto one = network.NewRequest(), other = network.NewRequest();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  VariableValues of_one, of_other;
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(
        network.Check(*one, network.Inputs({{2, 8}}, i), 1e-4, &of_one), "");
    if (i % 2 == 0) continue;
    EXPECT_EQ(
        network.Check(*other, network.Inputs({{2, 8}}, 9 + i), 1e-4, &of_other),
        "");
  }
}

TEST(StateTest, KeysAndValuesGrow) {
  const Network network(kGrowing);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (const int64_t batch : {1, 3}) {
    VariableValues variables;
    // A prompt, and then word by word.
    for (const int64_t words : {5, 1, 1, 1, 2, 1}) {
      const auto inputs =
          network.Inputs({{batch, words, 16}}, static_cast<unsigned>(words));
      EXPECT_EQ(network.Check(*request, inputs, 1e-4, &variables), "");
    }
    const auto kept = request->Variables();
    ASSERT_TRUE(kept.ok());
    ASSERT_EQ(kept->size(), 2u);
    EXPECT_EQ((*kept)[0].value.shape(), (Shape{batch, 2, 11, 8}));
    ASSERT_TRUE(request->ResetVariables().ok());
  }
}

// More lengths than are compiled one by one; every value sees them, so that
// nothing is planned once for all.
TEST(StateTest, ManyWordsOneByOne) {
  const Network network(kGrowing);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (const int64_t batch : {1, 2}) {
    VariableValues variables;
    for (const int64_t words : {4, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 2, 2, 2, 2}) {
      const auto inputs =
          network.Inputs({{batch, words, 16}}, static_cast<unsigned>(words));
      EXPECT_EQ(network.Check(*request, inputs, 1e-4, &variables), "");
    }
    ASSERT_TRUE(request->ResetVariables().ok());
  }
}

// The same a token at a time, with a mask over all of them, whose length alone
// varies: most of it is planned once, and what is kept grows in place.
std::string Decoder() {
  std::string text = absl::StrReplaceAll(
      kGrowing, {{"shape: [?,?,16]", "shape: [2,1,16]"},
                 {"%wq =",
                  "%mask = Parameter-0() {shape: [1,1,1,?], "
                  "element_type: f32}\n  %wq ="},
                 {"(%qt, %ka, %va)", "(%qt, %ka, %va, %mask)"},
                 {"Result-0(%o)", "Result-0(%l11)"}});
  std::string layers, last = "o";
  for (int i = 0; i < 12; ++i) {
    const std::string layer = absl::StrCat("l", i);
    absl::StrAppend(&layers, "  %", layer, " = MatMul-0(%", last,
                    ", %wq) {}\n");
    last = layer;
  }
  text.insert(text.find("  %r = "), layers);
  return text;
}

// The difference in token number `count` of a request, from 1.
std::string CheckToken(const Network& network, Request& request, int64_t count,
                       VariableValues& variables) {
  const auto inputs = network.Inputs({{2, 1, 16}, {1, 1, 1, count}},
                                     static_cast<unsigned>(count));
  return network.Check(request, inputs, 1e-3, &variables);
}

// The difference between what a request keeps and `variables`.
std::string CheckKept(Request& request, VariableValues& variables) {
  const auto kept = request.Variables();
  if (!kept.ok()) return std::string(kept.status().message());
  for (const Variable& variable : *kept) {
    const std::string difference =
        FirstDifference({variable.value}, {variables[variable.id]}, 1e-3);
    if (!difference.empty()) return variable.id + ": " + difference;
  }
  return "";
}

// Whatever reads or sets it on the way sees it as the model has it.
TEST(StateTest, WhatIsKeptIsReadAndSetBetweenTokens) {
  const Network network(Decoder());
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  VariableValues variables;
  int64_t count = 0;
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(CheckToken(network, *request, ++count, variables), "");
    EXPECT_EQ(CheckKept(*request, variables), "");
    if (i % 9 != 8) continue;
    const auto kept = request->Variables();
    ASSERT_TRUE(kept.ok());
    // The first half of what there is, as one who takes back words does it.
    count /= 2;
    for (const Variable& variable : *kept) {
      const auto half = variable.value.Roi({0, 0, 0, 0}, {2, 2, count, 8});
      ASSERT_TRUE(half.ok());
      ASSERT_TRUE(request->SetVariable(variable.id, *half).ok());
      variables[variable.id] = *half->Clone();
    }
  }
}

// Both run in one stream, whose memory they use in turn.
TEST(StateTest, TwoRequestsGrowInTurn) {
  const Network network(Decoder());
  const auto one = network.NewRequest(), other = network.NewRequest();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  VariableValues of_one, of_other;
  int64_t count = 0;
  for (int64_t i = 1; i <= 20; ++i) {
    EXPECT_EQ(CheckToken(network, *one, i, of_one), "");
    if (i % 3 == 1) continue;
    EXPECT_EQ(CheckToken(network, *other, ++count, of_other), "");
  }
}

// The decoder whose beams choose which of them they go on from.
std::string BeamDecoder() {
  std::string text = absl::StrReplaceAll(
      Decoder(), {{"%ks = ", "%all_ks = "},
                  {"%vs = ", "%all_vs = "},
                  {"  %wq =",
                   "  %beams = Parameter-0() {shape: [2], element_type: i32}\n"
                   "  %wq ="}});
  const std::string gathers =
      "  %ks = Gather-8(%all_ks, %beams, %zero) {}\n"
      "  %vs = Gather-8(%all_vs, %beams, %zero) {}\n";
  text.insert(text.find("  %q = "), gathers);
  return text;
}

TEST(StateTest, BeamsGoOnFromOthers) {
  const Network network(BeamDecoder());
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  // Mostly from themselves; one outside of the batch begins with zeros.
  const std::vector<std::vector<int32_t>> choices = {
      {0, 1}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, 1}, {0, 7}};
  VariableValues variables;
  for (int64_t i = 1; i <= 32; ++i) {
    auto inputs = network.Inputs({{2, 1, 16}, {1, 1, 1, i}, {2}},
                                 static_cast<unsigned>(i));
    inputs[2] = *Tensor::FromValues<int32_t>({2}, choices[i % choices.size()]);
    EXPECT_EQ(network.Check(*request, inputs, 1e-3, &variables), "");
    EXPECT_EQ(CheckKept(*request, variables), "");
  }
}

TEST(StateTest, WhatIsSetIsReadNext) {
  const Network network(kGrowing);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  VariableValues variables;
  for (const char* name : {"keys", "values"}) {
    const Tensor value =
        Tensor::FromDoubles(ElementType::kF32, {1, 2, 3, 8},
                            std::vector<double>(48, 0.5))
            .value();
    ASSERT_TRUE(request->SetVariable(name, value).ok());
    variables[name] = value;
  }
  EXPECT_EQ(
      network.Check(*request, network.Inputs({{1, 2, 16}}), 1e-4, &variables),
      "");
}

TEST(StateTest, AnInferenceThatFailsChangesNone) {
  const Network network(kGrowing);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  VariableValues variables;
  EXPECT_EQ(
      network.Check(*request, network.Inputs({{2, 3, 16}}), 1e-4, &variables),
      "");
  // A batch that does not go with the one before.
  EXPECT_THAT(network.Check(*request, network.Inputs({{5, 1, 16}})),
              HasSubstr("Concat"));
  EXPECT_EQ(
      network.Check(*request, network.Inputs({{2, 1, 16}}), 1e-4, &variables),
      "");
}

TEST(StateTest, AnInferenceThatFailsChangesNothingThatGrowsInPlace) {
  const Network network(Decoder());
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  VariableValues variables;
  for (int64_t i = 1; i <= 12; ++i) {
    EXPECT_EQ(CheckToken(network, *request, i, variables), "");
    // A mask for two tokens more than there are.
    EXPECT_THAT(
        network.Check(*request, network.Inputs({{2, 1, 16}, {1, 1, 1, i + 3}})),
        HasSubstr("ScaledDotProductAttention"));
  }
}

}  // namespace
}  // namespace dovetail::cpu
