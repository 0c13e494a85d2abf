#include "dovetail/backends/hetero/assign/shape_devices.h"

#include <string>

#include "dovetail/backends/hetero/testing/lettered_model.h"
#include "gtest/gtest.h"

namespace dovetail::hetero {
namespace {

// The devices after MoveShapeNodes of the layers s and n, which begin on the
// last letter of their names as the others do; `pinned` may not move.
std::string DevicesOf(absl::string_view layers, absl::string_view pinned = "") {
  const auto lettered = ParseLettered("?,4", layers);
  if (!lettered.ok()) return std::string(lettered.status().message());
  Assignment devices = lettered->devices;
  MoveShapeNodes(
      lettered->model.TopologicalOrder().value(),
      [&](const Node& node, const std::string&) {
        return node.name() != pinned;
      },
      devices);
  std::string text;
  for (const auto& node : lettered->model.nodes()) {
    if (node->name()[0] != 's' && node->name()[0] != 'n') continue;
    text += devices.at(node.get());
  }
  return text;
}

constexpr char kReadByB[] = R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %n = Abs-0(%s) {}  # n_A
    %r = Reshape-1(%a, %n) {special_zero: false}  # r_B
    %o = Result-0(%r) {}
)";

TEST(ShapeDevicesTest, ShapesFollowTheirReaders) {
  EXPECT_EQ(DevicesOf(kReadByB), "BB");
}

TEST(ShapeDevicesTest, WhatConstantsGiveFollowsItsReaders) {
  EXPECT_EQ(DevicesOf(R"(
    %w = Constant-0() {value: i8[4] {1, 2, 3, 4}}
    %h = Constant-0() {value: f32[] {0.5}}
    %n = Convert-0(%w) {destination_type: f32}  # n_A
    %s = Multiply-1(%n, %h) {auto_broadcast: numpy}  # s_A
    %b = Add-1(%x, %s) {auto_broadcast: numpy}  # b_B
    %o = Result-0(%b) {}
  )"),
            "BB");
}

TEST(ShapeDevicesTest, AllOfThemOrNone) {
  EXPECT_EQ(DevicesOf(kReadByB, "s_A"), "AA");
  EXPECT_EQ(DevicesOf(kReadByB, "n_A"), "AA");
}

TEST(ShapeDevicesTest, NotToADeviceWithoutTheTensor) {
  EXPECT_EQ(DevicesOf(R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %b = Abs-0(%x) {}  # b_B
    %r = Reshape-1(%b, %s) {special_zero: false}  # r_B
    %o = Result-0(%r) {}
  )"),
            "A");
}

TEST(ShapeDevicesTest, ReadersOfSeveralDevicesLeaveThemWhereTheyAre) {
  EXPECT_EQ(DevicesOf(R"(
    %a = Relu-0(%x) {}  # a_A
    %s = ShapeOf-3(%a) {output_type: i64}  # s_A
    %b = Reshape-1(%a, %s) {special_zero: false}  # b_B
    %r = Reshape-1(%b, %s) {special_zero: false}  # r_C
    %o = Result-0(%r) {}
  )"),
            "A");
}

}  // namespace
}  // namespace dovetail::hetero
