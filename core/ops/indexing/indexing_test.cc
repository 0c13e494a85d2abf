#include <string>
#include <vector>

#include "dovetail/core/ops/indexing/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const InferTester& Tester() {
  static const InferTester tester(IndexingOps());
  return tester;
}

InputSpec Dynamic() { return F32(PartialShape::DynamicRank()); }
InputSpec Scalar() { return F32(Shape{}); }
InputSpec UnknownInt() { return I64(Shape{}); }
const TextAttributes kOneShared = {{"batch_dims", "1"}};
const TextAttributes kTwoShared = {{"batch_dims", "2"}};

TEST(GatherTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"Gather-1", {F32({2, 3}), I64({4, 5}), Int(1)}, {}, "f32[2,4,5]"},
      {"Gather-8", {F32({2, 3}), I32(Shape{}), Int(-2)}, {}, "f32[3]"},
      {"Gather-7", {F32({-1, 3, 4}), I64({2, 5}), Int(2)}, kOneShared,
       "f32[2,3,5]"},
      {"Gather-8", {F32({2, 3, 4}), I64({2, 5}), Int(2)},
       {{"batch_dims", "-1"}}, "f32[2,3,5]"},
      {"Gather-8", {F32({2, 3}), I64({4, 5}), UnknownInt()}, {},
       "f32[?,?,?]"},
      {"Gather-7", {F32({-1, 3, 4}), I64({2, 5}), UnknownInt()}, kOneShared,
       "f32[2,?,?]"},
      {"Gather-8", {Dynamic(), I64({4}), Int(0)}, {}, "f32[...]"},
  });
  ExpectErrors(Tester(), {
      {"Gather-8", {F32({2, 3}), I64({4}), Int(2)}, {}, "axis, 2"},
      {"Gather-8", {F32({2, 3}), I64({3, 4}), Int(1)}, kOneShared, "batch"},
      {"Gather-8", {F32({2, 3}), I64({2, 4}), Int(0)}, kOneShared,
       "at most 0"},
      {"Gather-8", {F32({2, 3}), I64({2}), Int(1)}, kTwoShared,
       "batch_dims is 2"},
      {"Gather-8", {F32({2, 3}), F32({2}), Int(1)}, {}, "type f32"},
      {"Gather-8", {Scalar(), I64({2}), Int(0)}, {}, "rank"},
  });
}

TEST(GatherTest, InfersValues) {
  const auto values = [](const InputSpec& data, const InputSpec& indices) {
    return Tester().Values("Gather-8", {data, indices, Int(0)});
  };
  EXPECT_EQ(values(Ints({4, 5, 6}), Ints({2, -3})), "6, 4");
  EXPECT_EQ(values(ConstantOf(ElementType::kI64, {2, 2}, {1, 2, 3, 4}),
                   Int(1)),
            "3, 4");
  EXPECT_EQ(values(I64({2}), Int(1)), "unknown");
  EXPECT_EQ(Tester().Values("Gather-7",
                            {Ints({4, 5, 6}), Ints({2, -3}), Int(0)}),
            "6, ?");
}

TEST(GatherTest, InfersShapesOfOtherForms) {
  ExpectShapes(Tester(), {
      {"GatherElements-6", {F32({2, -1}), I64({5, 3})}, {{"axis", "0"}},
       "f32[5,3]"},
      {"GatherND-5", {F32({2, 3, 4, 5}), I64({2, 3, 7, 1})}, kTwoShared,
       "f32[6,7,5]"},
      {"GatherND-8", {F32({2, 3, 4, 5}), I64({2, 3, 7, 1})}, kTwoShared,
       "f32[2,3,7,5]"},
      {"GatherND-8", {F32({2, 3}), I64({4, 2})}, {}, "f32[4]"},
      {"GatherND-8", {F32({2, 3}), I64({4, -1})}, {}, "f32[...]"},
      {"GatherTree-1", {F32({5, -1, 3}), F32({5, 2, 3}), F32({2}), Scalar()},
       {}, "f32[5,2,3]"},
  });
  ExpectErrors(Tester(), {
      {"GatherElements-6", {F32({2, 4}), I64({2, 3})}, {}, "want 4"},
      {"GatherElements-6", {F32({2, 4}), I64({2})}, {}, "rank 2"},
      {"GatherND-8", {F32({2, 3}), I64({2, 3})}, {}, "3 coordinates"},
      {"GatherND-8", {F32({2, 3}), I64({2, 3})}, kTwoShared, "want 0 to 1"},
      {"GatherTree-1", {F32({5, 2, 3}), F32({5, 2, 3}), F32({4}), Scalar()},
       {}, "input 2 has shape [4]"},
  });
}

TEST(ScatterTest, ChecksShapes) {
  const InputSpec data = F32({3, 4});
  const TextAttributes mean = {{"reduction", "mean"}};
  ExpectShapes(Tester(), {
      {"ScatterUpdate-3", {data, I64({2}), F32({2, 4}), Int(0)}, {},
       "f32[3,4]"},
      {"ScatterUpdate-3", {data, I64({2}), Dynamic(), UnknownInt()}, {},
       "f32[3,4]"},
      {"ScatterElementsUpdate-12", {data, I64({2, 1}), F32({2, 1}), Int(0)},
       mean, "f32[3,4]"},
      {"ScatterNDUpdate-15", {data, I64({5, 1}), F32({5, 4})},
       {{"reduction", "sub"}}, "f32[3,4]"},
      {"ScatterNDUpdate-3", {F32({3, -1}), I64({5, 2}), F32({-1})}, {},
       "f32[3,?]"},
  });
  ExpectErrors(Tester(), {
      {"ScatterUpdate-3", {data, I64({2}), F32({3, 4}), Int(0)}, {},
       "want [2,4]"},
      {"ScatterUpdate-3", {data, I64({2}), F32({2, 4}), Int(2)}, {},
       "axis, 2"},
      {"ScatterElementsUpdate-3", {data, I64({2, 1}), F32({2, 2}), Int(0)},
       {}, "want [2,1]"},
      {"ScatterElementsUpdate-3", {data, I64({3, 5}), F32({3, 5}), Int(0)},
       {}, "at most 4"},
      {"ScatterElementsUpdate-12",
       {Boolean({3}), I64({1}), Boolean({1}), Int(0)}, mean, "mean"},
      {"ScatterNDUpdate-3", {data, I64({5, 3}), F32({5})}, {},
       "3 coordinates"},
      {"ScatterNDUpdate-3", {data, I64({5, 1}), F32({5, 5})}, {},
       "want [5,4]"},
      {"ScatterNDUpdate-3", {data, I64({5, 1}), I64({5, 4})}, {}, "i64"},
  });
}

TEST(ScatterTest, InfersValues) {
  const InputSpec data = Ints({1, 2, 3});
  const InputSpec matrix = ConstantOf(ElementType::kI64, {2, 2}, {1, 2, 3, 4});
  const InputSpec column = ConstantOf(ElementType::kI64, {2, 1}, {-1, 0});
  EXPECT_EQ(Tester().Values("ScatterUpdate-3",
                            {data, Ints({-1, 0}), Ints({7, 8}), Int(0)}),
            "8, 2, 7");
  EXPECT_EQ(Tester().Values(
                "ScatterUpdate-3",
                {matrix, Int(1), Ints({8, 9}), Int(1)}),
            "1, 8, 3, 9");
  EXPECT_EQ(Tester().Values("ScatterNDUpdate-3",
                            {data, column, Ints({7, 8})}),
            "8, 2, 7");
  EXPECT_EQ(Tester().Values("ScatterNDUpdate-15", {data, column, Ints({7, 8})},
                            {{"reduction", "sum"}}),
            "unknown");
  EXPECT_EQ(Tester().Values("ScatterElementsUpdate-3",
                            {matrix, column, column, Int(1)}),
            "1, -1, 0, 4");
  EXPECT_EQ(Tester().Values("ScatterElementsUpdate-12",
                            {matrix, column, column, Int(1)},
                            {{"reduction", "max"}}),
            "unknown");
  // No such element: what happens then is not for inference to say.
  EXPECT_EQ(Tester().Values("ScatterUpdate-3",
                            {data, Ints({3}), Ints({7}), Int(0)}),
            "unknown");
}

TEST(NonZeroTest, CountsKnownElements) {
  ExpectShapes(Tester(), {
      {"NonZero-3", {Ints({4, 0, -1})}, {}, "i64[1,2]"},
      {"NonZero-3", {I64({3})}, {}, "i64[1,0..3]"},
  });
  EXPECT_EQ(Tester().Values("NonZero-3",
                            {ConstantOf(ElementType::kF32, {2, 3},
                                        {0, 1, 0, 2, 0, -3})}),
            "0, 1, 1, 1, 0, 2");
  EXPECT_EQ(Tester().Values("NonZero-3", {Int(5)}), "0");
  EXPECT_EQ(Tester().Values("NonZero-3", {I64({2})}), "unknown");
}

TEST(TopKTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"TopK-1", {F32({3, 4}), Int(2)}, {{"axis", "-1"}},
       "f32[3,2] i32[3,2]"},
      {"TopK-11", {F32({Dimension(2, 8)}), Int(4)},
       {{"index_element_type", "i64"}}, "f32[4] i64[4]"},
      {"TopK-3", {F32({3, Dimension(2, 8)}), UnknownInt()}, {{"axis", "1"}},
       "f32[3,0..8] i32[3,0..8]"},
      {"TopK-3", {F32({3}), Int(0)}, {}, "f32[0] i32[0]"},
  });
  ExpectErrors(Tester(), {
      {"TopK-3", {F32({3}), Int(4)}, {}, "K, is 4"},
      {"TopK-3", {F32({3}), Int(-1)}, {}, "K, is -1"},
      {"TopK-3", {F32({3}), Ints({2})}, {}, "want rank 0"},
      {"TopK-3", {F32({3}), Int(1)}, {{"axis", "1"}}, "axis 1"},
      {"TopK-11", {F32({3}), Int(1)}, {{"stable", "true"}, {"sort", "none"}},
       "stable is true with sort none"},
      {"TopK-3", {F32({3}), Int(1)}, {{"index_element_type", "u8"}},
       "i32 or i64"},
  });
}

TEST(OrderingTest, InfersShapes) {
  const InputSpec on = ConstantOf(ElementType::kF32, {}, {1});
  ExpectShapes(Tester(), {
      {"NonZero-3", {F32({3, 4})}, {}, "i64[2,0..12]"},
      {"NonZero-3", {Scalar()}, {{"output_type", "i32"}}, "i32[1,0..1]"},
      {"NonZero-3", {Dynamic()}, {}, "i64[?,?]"},
      {"OneHot-1", {I64({3, 4}), Int(5), on, on}, {{"axis", "-1"}},
       "f32[3,4,5]"},
      {"OneHot-16", {I64({3, 4}), UnknownInt(), on, on},
       {{"axis", "0"}, {"negative_indices_mode", "normalize"}},
       "f32[?,3,4]"},
      {"Unique-10", {F32({3, 4})}, {{"count_element_type", "i32"}},
       "f32[1..12] i64[1..12] i64[12] i32[1..12]"},
      {"Unique-10", {F32({3, 4}), Int(1)}, {},
       "f32[3,1..4] i64[1..4] i64[4] i64[1..4]"},
      {"Unique-10", {F32({3, 4}), UnknownInt()}, {},
       "f32[?,?] i64[?] i64[?] i64[?]"},
      {"Bucketize-3", {F32({2, -1}), F32({5})}, {{"output_type", "i32"}},
       "i32[2,?]"},
      {"SearchSorted-15", {F32({3, 4}), F32({-1, 2})}, {}, "i64[3,2]"},
      {"SearchSorted-15", {F32({4}), F32({3, 2})}, {{"output_type", "i32"}},
       "i32[3,2]"},
      {"CumSum-0", {F32({2, 3}), Int(-1)}, {}, "f32[2,3]"},
  });
  ExpectErrors(Tester(), {
      {"NonZero-3", {F32({3})}, {{"output_type", "f32"}}, "i32 or i64"},
      {"OneHot-1", {I64({3}), Int(-5), on, on}, {}, "depth, is -5"},
      {"OneHot-1", {I64({3}), Int(5), on, Int(0)}, {}, "i64"},
      {"OneHot-1", {I64({3}), Int(5), on, on}, {{"axis", "2"}}, "axis 2"},
      {"Unique-10", {F32({3}), Int(1)}, {}, "axis, 1"},
      {"Bucketize-3", {F32({2}), F32({5, 1})}, {}, "rank 1"},
      {"SearchSorted-15", {F32({2, 4}), F32({3, 2})}, {}, "want 2"},
      {"SearchSorted-15", {F32({4}), I64({3})}, {}, "i64"},
      {"CumSum-0", {F32({2}), Int(1)}, {}, "axis, 1"},
      {"CumSum-0", {Typed(ElementType::kString, {2}), Int(0)}, {}, "string"},
  });
}

}  // namespace
}  // namespace dovetail
