#include "dovetail/backends/hetero/parts/shape_copies.h"

#include <string>

#include "dovetail/backends/hetero/testing/lettered_model.h"
#include "gtest/gtest.h"

namespace dovetail::hetero {
namespace {

// Layers whose names begin with `refused` run on no device but their own.
std::string PartsOf(absl::string_view layers,
                    const std::string& refused = "-") {
  const auto lettered = ParseLettered("?,4", layers);
  if (!lettered.ok()) return std::string(lettered.status().message());
  const auto& [model, devices] = *lettered;
  const auto runs = [&devices = devices, &refused](const Node& node,
                                                   const std::string& device) {
    return devices.at(&node) == device || node.name().find(refused) != 0;
  };
  const auto whole = PartitionModel(model, devices);
  if (!whole.ok()) return std::string(whole.status().message());
  const auto parts = WithShapeCopies(model, *whole, runs);
  return parts.ok() ? PartsText(*parts) : std::string(parts.status().message());
}

// The shape of what A gives is computed there, and B needs it.
constexpr char kReadByB[] = R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %n = Abs-0(%s) {}  # n_A
    %b = Abs-0(%a) {}  # b_B
    %r = Reshape-1(%b, %n) {special_zero: false}  # r_B
    %o = Result-0(%r) {}
)";

TEST(ShapeCopiesTest, ShapesAreComputedWhereTheyAreRead) {
  EXPECT_EQ(PartsOf(kReadByB), "A(a) B(s n b r)");
}

TEST(ShapeCopiesTest, NotOnADeviceThatCannot) {
  EXPECT_EQ(PartsOf(kReadByB, "n"), "A(a s n) B(b r)");
}

// The tensor would have to cross for its shape alone.
TEST(ShapeCopiesTest, NotWhereTheTensorIsNot) {
  EXPECT_EQ(PartsOf(R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %b = Abs-0(%x) {}  # b_B
    %r = Reshape-1(%b, %s) {special_zero: false}  # r_B
    %o = Result-0(%r) {}
  )"),
            "A(a s) B(b r)");
}

TEST(ShapeCopiesTest, BothHaveWhatBothNeed) {
  EXPECT_EQ(PartsOf(R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %c = Reshape-1(%a, %s) {special_zero: false}  # c_A
    %r = Reshape-1(%c, %s) {special_zero: false}  # r_B
    %t = Add-1(%r, %a) {auto_broadcast: numpy}  # t_B
    %o = Result-0(%t) {}
    %p = Result-0(%s) {}
  )"),
            "A(a s c) B(s r t)");
}

TEST(ShapeCopiesTest, APartOfShapesAloneGoes) {
  EXPECT_EQ(PartsOf(R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_B
    %r = Reshape-1(%a, %s) {special_zero: false}  # r_C
    %o = Result-0(%r) {}
  )"),
            "A(a) C(s r)");
}

// Values that a tensor's elements decide stay where they are.
TEST(ShapeCopiesTest, WhatIsNoShapeCrosses) {
  EXPECT_EQ(PartsOf(R"(
    %f = Constant-0() {value: i64[1] {0}}
    %a = Relu-0(%x) {}  # a_A
    %m = ReduceMax-1(%a, %f) {keep_dims: false}  # m_A
    %i = Convert-0(%m) {destination_type: i64}  # i_A
    %r = Reshape-1(%a, %i) {special_zero: false}  # r_B
    %o = Result-0(%r) {}
  )"),
            "A(a m i) B(r)");
}

// Weights that are stored as integers stay with the layer that reads them.
constexpr char kStoredWeights[] = R"(
    %w = Constant-0() {value: i8[4] {1, 2, 3, 4}}
    %h = Constant-0() {value: f32[] {0.5}}
    %f = Convert-0(%w) {destination_type: f32}  # f_A
    %m = Multiply-1(%f, %h) {auto_broadcast: numpy}  # m_C
    %b = Add-1(%x, %m) {auto_broadcast: numpy}  # b_B
    %c = Add-1(%b, %m) {auto_broadcast: numpy}  # c_C
    %o = Result-0(%c) {}
)";

TEST(ShapeCopiesTest, WhatConstantsGiveIsWhereItIsRead) {
  EXPECT_EQ(PartsOf(kStoredWeights), "B(f m b) C(f m c)");
}

TEST(ShapeCopiesTest, WhatConstantsGiveCrossesToADeviceThatCannot) {
  EXPECT_EQ(PartsOf(kStoredWeights, "m"), "C(f m) B(b) C(f m c)");
}

// A constant stands for it wherever it is read.
constexpr char kKnown[] = R"(
    %b = Constant-0() {value: i64[] {1}}
    %e = Constant-0() {value: i64[] {2}}
    %d = Constant-0() {value: i64[] {1}}
    %s = Range-4(%b, %e, %d) {output_type: i64}  # s_A
    %m = ReduceMean-1(%x, %s) {keep_dims: true}  # m_B
    %o = Result-0(%m) {}
)";

TEST(ShapeCopiesTest, KnownIntegersNeedNoPart) {
  EXPECT_EQ(PartsOf(kKnown, "s"), "B(m)");
}

TEST(ShapeCopiesTest, KnownIntegersThatAResultReadsStay) {
  EXPECT_EQ(PartsOf(std::string(kKnown) + "%p = Result-0(%s) {}\n", "s"),
            "A(s) B(m)");
}

}  // namespace
}  // namespace dovetail::hetero
