#include <cmath>

#include "dovetail/core/ops/embedding/table.h"
#include "dovetail/core/reference/embedding/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester& Tester() {
  static const OpTester tester(EmbeddingOps(), EmbeddingKernels());
  return tester;
}

// Rows {1, 2}, {10, 20} and {100, 200}.
Tensor Table(ElementType type = ElementType::kF32) {
  return TensorOf(type, {3, 2}, {1, 2, 10, 20, 100, 200});
}

TEST(EmbeddingBagOffsetsTest, AddsRows) {
  const Tensor indices = Int32s({4}, {0, 2, 1, 1});
  const Tensor offsets = Int32s({3}, {0, 2, 2});
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsetsSum-3",
                         {Table(), indices, offsets}),
            "f32[3,2] {101, 202, 0, 0, 20, 40}");
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsets-15",
                         {Table(), indices, offsets, Int32s({}, {2})},
                         {{"reduction", "mean"}}),
            "f32[3,2] {50.5, 101, 100, 200, 10, 20}");
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsets-15",
                         {Table(), indices, offsets, Int32s({}, {-1}),
                          Floats({4}, {1, 2, 3, -3})}),
            "f32[3,2] {201, 402, 0, 0, 0, 0}");
}

TEST(EmbeddingBagOffsetsTest, KnowsTypes) {
  const Tensor indices = Int32s({2}, {0, 1}), offsets = Int32s({1}, {0});
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsets-15",
                         {Table(ElementType::kI32), indices, offsets},
                         {{"reduction", "mean"}}),
            "i32[1,2] {5, 11}");
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsets-15",
                         {TensorOf(ElementType::kI64, {2, 1}, {-3, -4}),
                          indices, offsets},
                         {{"reduction", "mean"}}),
            "i64[1,1] {-3}");
  EXPECT_EQ(Tester().Run("EmbeddingBagOffsetsSum-3",
                         {Table(ElementType::kF16), indices, offsets}),
            "f16[1,2] {11, 22}");
}

TEST(EmbeddingBagOffsetsTest, SaysWhatIsWrong) {
  const auto run = [](const std::vector<double>& indices,
                      const std::vector<double>& offsets, double row) {
    return Tester().Run("EmbeddingBagOffsetsSum-3",
                        {Table(), Int64s({2}, indices), Int64s({2}, offsets),
                         Int64s({}, {row})});
  };
  EXPECT_THAT(run({0, 3}, {0, 1}, -1), HasSubstr("has 3, want 0 to 2"));
  EXPECT_THAT(run({-1, 0}, {0, 1}, -1), HasSubstr("has -1, want 0 to 2"));
  EXPECT_THAT(run({0, 0}, {1, 0}, -1), HasSubstr("has 0 after 1"));
  EXPECT_THAT(run({0, 0}, {0, 3}, -1), HasSubstr("has 2 after 3"));
  EXPECT_THAT(run({0, 0}, {-1, 0}, -1), HasSubstr("has -1 after 0"));
  EXPECT_THAT(run({0, 0}, {0, 1}, 3), HasSubstr("(default_index) is 3"));
}

TEST(EmbeddingBagPackedTest, AddsRows) {
  const Tensor indices = Int64s({2, 2}, {0, 1, 2, 2});
  EXPECT_EQ(Tester().Run("EmbeddingBagPackedSum-3", {Table(), indices}),
            "f32[2,2] {11, 22, 200, 400}");
  EXPECT_EQ(Tester().Run("EmbeddingBagPacked-15", {Table(), indices},
                         {{"reduction", "mean"}}),
            "f32[2,2] {5.5, 11, 100, 200}");
  EXPECT_EQ(Tester().Run("EmbeddingBagPacked-15",
                         {Table(), indices, Floats({2, 2}, {2, 0, 1, -1})}),
            "f32[2,2] {2, 4, 0, 0}");
  EXPECT_EQ(Tester().Run("EmbeddingBagPackedSum-3",
                         {Table(), Int64s({0, 2}, {})}),
            "f32[0,2] {}");
}

TEST(EmbeddingSegmentsTest, AddsRows) {
  const Tensor indices = Int32s({3}, {0, 2, 1});
  EXPECT_EQ(Tester().Run("EmbeddingSegmentsSum-3",
                         {Table(), indices, Int32s({3}, {0, 0, 2}),
                          Int32s({}, {4})}),
            "f32[4,2] {101, 202, 0, 0, 10, 20, 0, 0}");
  // The weights go with the indices, whatever the order of the segments.
  EXPECT_EQ(Tester().Run("EmbeddingSegmentsSum-3",
                         {Table(), indices, Int32s({3}, {2, 0, 2}),
                          Int32s({}, {3}), Int32s({}, {0}),
                          Floats({3}, {2, 3, 4})}),
            "f32[3,2] {300, 600, 1, 2, 42, 84}");
  EXPECT_THAT(Tester().Run("EmbeddingSegmentsSum-3",
                           {Table(), indices, Int32s({3}, {0, 0, 4}),
                            Int32s({}, {4})}),
              HasSubstr("has 4, want 0 to 3 for 4 segments"));
}

TEST(SegmentMaxTest, RefusesMoreSegmentsThanThereCanBe) {
  EXPECT_THAT(Tester().Run("SegmentMax-16",
                           {Floats({1}, {5}), Int32s({1}, {0}),
                            Int64s({}, {1e19})}),
              HasSubstr("which is nothing that a tensor can be"));
}

TEST(SegmentMaxTest, FindsTheGreatest) {
  const Tensor data = Floats({3, 2}, {-1, 5, -2, 6, 7, std::nan("")});
  const Tensor ids = Int64s({3}, {0, 0, 2});
  EXPECT_EQ(Tester().Run("SegmentMax-16", {data, ids}),
            "f32[3,2] {-1, 6, 0, 0, 7, -3.40282e+38}");
  EXPECT_EQ(Tester().Run("SegmentMax-16", {data, ids, Int64s({}, {1})}),
            "f32[1,2] {-1, 6}");
  EXPECT_EQ(Tester().Run("SegmentMax-16",
                         {TensorOf(ElementType::kI8, {1}, {-9}),
                          Int64s({1}, {1}), Int64s({}, {3})},
                         {{"fill_mode", "lowest"}}),
            "i8[3] {-128, -9, -128}");
  EXPECT_EQ(Tester().Run("SegmentMax-16",
                         {TensorOf(ElementType::kF16, {1}, {-9}),
                          Int64s({1}, {1})},
                         {{"fill_mode", "lowest"}}),
            "f16[2] {-65504, -9}");
}

TEST(SparseFillEmptyRowsTest, Fills) {
  EXPECT_EQ(Tester().Run("SparseFillEmptyRows-16",
                         {Floats({3}, {1, 2, 3}), Int32s({2}, {4, 4}),
                          Int32s({3, 2}, {2, 1, 0, 3, 2, 0}),
                          Floats({}, {9})}),
            "i32[5,2] {0, 3, 1, 0, 2, 0, 2, 1, 3, 0}; f32[5] {2, 9, 3, 1, 9}; "
            "boolean[4] {false, true, false, true}");
  EXPECT_EQ(Tester().Run("SparseFillEmptyRows-16",
                         {Int32s({0}, {}), Int64s({2}, {1, 0}),
                          Int64s({0, 2}, {}), Int32s({}, {9})}),
            "i64[1,2] {0, 0}; i32[1] {9}; boolean[1] {true}");
}

}  // namespace
}  // namespace dovetail
