// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <cstdint>

#include "dovetail/core/ops/movement/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(MovementOps());
const InferTester tester(MovementOps());

TEST(EveryLayoutTest, InfersStaticShapes) {
  const TextAttributes two = {{"block_size", "2"}};
  ExpectShapes(tester, {
      {"DepthToSpace-0", {F32({1, 8, 2, 3})}, two, "f32[1,2,4,6]"},
      {"SpaceToDepth-0", {F32({1, 2, 4, 6})}, two, "f32[1,8,2,3]"},
      {"Reverse-1", {F32({2, 3}), Ints({0})}, {}, "f32[2,3]"},
      {"ReverseSequence-0", {F32({4, 3}), I32({4})}, {}, "f32[4,3]"},
      {"Roll-7", {F32({2, 3}), Int(1), Ints({0})}, {}, "f32[2,3]"},
      {"SpaceToBatch-1", {F32({5, 3}), Ints({1, 2}), Ints({0, 0}),
                          Ints({0, 1})}, {}, "f32[10,2]"},
      {"BatchToSpace-1", {F32({10, 2}), Ints({1, 2}), Ints({0, 0}),
                          Ints({0, 1})}, {}, "f32[5,3]"},
  });
}

TEST(EveryLayoutTest, InfersDynamicShapes) {
  ExpectShapes(tester, {
      {"ShuffleChannels-0", {F32({-1, Dimension(3, 9)})}, {{"group", "3"}},
       "f32[?,3..9]"},
  });
}

TEST(HugeNumbersTest, AreRefusedBeforeTheyAreInexact) {
  constexpr int64_t kHuge = int64_t{1} << 53;
  ExpectErrors(tester, {
      {"Pad-12", {F32({3}), Ints({kHuge}), Ints({-kHuge})}, {},
       "no possible extent"},
      {"BatchToSpace-1",
       {F32({4, 3}), Ints({1, kHuge}), Ints({0, kHuge}), Ints({0, 0})}, {},
       "input 1 has 9.0072e+15 at 1, want 1e+15 or less"},
      {"SpaceToBatch-1",
       {F32({4, 3}), Ints({1, 2}), Ints({0, kHuge}), Ints({0, 0})}, {},
       "or less"},
  });
}

TEST(ReshapeTest, WhatIsNotEmptyHasNoEmptyAxis) {
  ExpectShapes(tester, {
      {"Reshape-1", {F32({4, Dimension(1, 9)}), Ints({-1})}, {},
       "f32[4..36]"},
      {"Reshape-1",
       {F32({Dimension(1, Dimension::kInfinity), 4}), Ints({0, 0, -1})},
       {{"special_zero", "true"}},
       "f32[1..,4,1]"},
  });
}

TEST(EverySqueezeTest, InfersAndRefuses) {
  for (const char* op : {"Squeeze-0", "Squeeze-15"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 1, 3}), Ints({1})}, {}, "f32[2,3]"},
        {op, {F32({2, -1, 3}), Ints({1})}, {}, "f32[2,3]"},
    });
    ExpectErrors(tester, {{op, {F32({2, 1}), Ints({-3})}, {}, "-3"}});
  }
}

}  // namespace
}  // namespace dovetail
