#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/indexing/table.h"
#include "dovetail/core/reference/indexing/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string op;
  std::vector<Tensor> inputs;
  TextAttributes attributes;
  std::string want;
};

const OpTester& Tester() {
  static const OpTester tester(IndexingOps(), IndexingKernels());
  return tester;
}

void ExpectResults(const std::vector<Case>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    EXPECT_EQ(Tester().Run(c.op, c.inputs, c.attributes), c.want)
        << c.op << ", case " << i;
  }
}

void ExpectErrors(const std::vector<Case>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    EXPECT_THAT(Tester().Run(c.op, c.inputs, c.attributes), HasSubstr(c.want))
        << c.op << ", case " << i;
  }
}

Tensor List(const std::vector<double>& values) {
  return Int64s({static_cast<int64_t>(values.size())}, values);
}

Tensor Number(double value) { return Int64s({}, {value}); }

Tensor Grid() { return Int32s({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(GatherTest, GivesValues) {
  ExpectResults({
      {"Gather-1", {Grid(), List({2, 0}), Number(1)}, {},
       "i32[2,2] {3, 1, 6, 4}"},
      {"Gather-8", {Grid(), List({-1, 0, 2, -3}), Number(0)}, {},
       "i32[4,3] {4, 5, 6, 1, 2, 3, 0, 0, 0, 0, 0, 0}"},
      {"Gather-7", {Grid(), List({-1, 1}), Number(0)}, {},
       "i32[2,3] {0, 0, 0, 4, 5, 6}"},
      {"Gather-8", {Grid(), Int64s({2, 1}, {2, 0}), Number(1)},
       {{"batch_dims", "1"}}, "i32[2,1] {3, 4}"},
      {"Gather-8",
       {TensorOf(ElementType::kU4, {3}, {7, 8, 9}), List({2, 1}), Number(0)},
       {},
       "u4[2] {9, 8}"},
      {"GatherElements-6", {Grid(), Int64s({1, 3}, {1, 0, -1})},
       {{"axis", "0"}}, "i32[1,3] {4, 2, 6}"},
      {"GatherND-8", {Grid(), Int64s({2, 2}, {1, 0, -2, 2})}, {},
       "i32[2] {4, 3}"},
      {"GatherND-5", {Grid(), Int64s({2, 1}, {1, 0})}, {{"batch_dims", "1"}},
       "i32[2] {2, 4}"},
      {"GatherND-8", {Grid(), Int64s({1, 1}, {1})}, {},
       "i32[1,3] {4, 5, 6}"},
  });
  ExpectErrors({
      {"GatherElements-6", {Grid(), Int64s({1, 3}, {2, 0, 0})},
       {{"axis", "0"}}, "has 2 as element 0"},
      {"GatherND-8", {Grid(), Int64s({1, 1}, {-3})}, {}, "has -3"},
  });
}

// Beam 1 of the last step comes from beam 0 of the one before.
TEST(GatherTest, FollowsBeams) {
  const Tensor steps = Int32s({3, 1, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor parents = Int32s({3, 1, 2}, {-1, -1, 1, 1, 1, 0});
  const Tensor lengths = Int32s({1}, {3});
  ExpectResults({
      {"GatherTree-1", {steps, parents, lengths, Int32s({}, {9})}, {},
       "i32[3,1,2] {2, 2, 4, 3, 5, 6}"},
      {"GatherTree-1", {steps, parents, lengths, Int32s({}, {4})}, {},
       "i32[3,1,2] {2, 2, 4, 3, 4, 6}"},
      {"GatherTree-1",
       {Floats({1, 1, 1}, {1}), Floats({1, 1, 1}, {0}),
        Floats({1}, {std::nan("")}), Floats({}, {9})},
       {},
       "f32[1,1,1] {9}"},
  });
  ExpectErrors({{"GatherTree-1",
                 {steps, Int32s({3, 1, 2}, {0, 0, 0, 0, 2, 0}), lengths,
                  Int32s({}, {9})},
                 {},
                 "outside of [0, 2)"}});
}

TEST(ScatterTest, Replaces) {
  ExpectResults({
      {"ScatterUpdate-3",
       {Grid(), List({2, 0}), Int32s({2, 2}, {7, 8, 9, 10}), Number(1)},
       {},
       "i32[2,3] {8, 2, 7, 10, 5, 9}"},
      {"ScatterElementsUpdate-3",
       {Grid(), Int64s({1, 2}, {1, -2}), Int32s({1, 2}, {7, 8}), Number(0)},
       {},
       "i32[2,3] {1, 8, 3, 7, 5, 6}"},
      {"ScatterNDUpdate-3",
       {Grid(), Int64s({1, 1}, {-1}), Int32s({1, 3}, {7, 8, 9})},
       {},
       "i32[2,3] {1, 2, 3, 7, 8, 9}"},
  });
  ExpectErrors({
      {"ScatterUpdate-3",
       {Grid(), List({-1}), Int32s({1, 3}, {7, 8, 9}), Number(0)},
       {},
       "has -1 as element 0"},
      {"ScatterElementsUpdate-3",
       {Grid(), Int64s({1, 1}, {2}), Int32s({1, 1}, {7}), Number(0)},
       {},
       "has 2"},
      {"ScatterNDUpdate-3",
       {Grid(), Int64s({1, 2}, {0, 3}), Int32s({1}, {7})},
       {},
       "has 3"},
  });
}

TEST(ScatterTest, Combines) {
  // Element 0 gets 5 and -8, element 2 gets 7.
  const auto elements = [](const char* reduction, const char* use_data) {
    return Tester().Run("ScatterElementsUpdate-12",
                        {Int32s({3}, {1, 2, 3}), List({0, 2, 0}),
                         Int32s({3}, {5, 7, -8}), Number(0)},
                        {{"reduction", reduction}, {"use_init_val", use_data}});
  };
  EXPECT_EQ(elements("sum", "true"), "i32[3] {-2, 2, 10}");
  EXPECT_EQ(elements("sum", "false"), "i32[3] {-3, 2, 7}");
  EXPECT_EQ(elements("prod", "true"), "i32[3] {-40, 2, 21}");
  EXPECT_EQ(elements("min", "true"), "i32[3] {-8, 2, 3}");
  EXPECT_EQ(elements("max", "false"), "i32[3] {5, 2, 7}");
  EXPECT_EQ(elements("mean", "true"), "i32[3] {-1, 2, 5}");
  EXPECT_EQ(elements("mean", "false"), "i32[3] {-2, 2, 7}");
  EXPECT_EQ(elements("none", "true"), "i32[3] {-8, 2, 7}");
  const auto slices = [](const char* reduction) {
    return Tester().Run("ScatterNDUpdate-15",
                        {Floats({2}, {1, 2}), Int64s({2, 1}, {1, 1}),
                         Floats({2}, {0.5, 4})},
                        {{"reduction", reduction}});
  };
  EXPECT_EQ(slices("sum"), "f32[2] {1, 6.5}");
  EXPECT_EQ(slices("sub"), "f32[2] {1, -2.5}");
  EXPECT_EQ(slices("prod"), "f32[2] {1, 4}");
  EXPECT_EQ(slices("min"), "f32[2] {1, 0.5}");
  EXPECT_EQ(slices("max"), "f32[2] {1, 4}");
}

TEST(TopKTest, OrdersAsAsked) {
  const auto top = [](const char* mode, const char* sort) {
    return Tester().Run("TopK-11",
                        {Floats({7}, {3, 1, 5, 5, 1, 3, 5}), Number(5)},
                        {{"axis", "0"}, {"mode", mode}, {"sort", sort}});
  };
  EXPECT_EQ(top("max", "value"), "f32[5] {5, 5, 5, 3, 3}; "
                                 "i32[5] {2, 3, 6, 0, 5}");
  EXPECT_EQ(top("max", "index"), "f32[5] {3, 5, 5, 3, 5}; "
                                 "i32[5] {0, 2, 3, 5, 6}");
  EXPECT_EQ(top("min", "value"), "f32[5] {1, 1, 3, 3, 5}; "
                                 "i32[5] {1, 4, 0, 5, 2}");
}

TEST(TopKTest, WorksAcrossLinesAndTypes) {
  ExpectResults({
      {"TopK-3", {Grid(), Number(1)}, {{"axis", "0"}, {"mode", "max"}},
       "i32[1,3] {4, 5, 6}; i32[1,3] {1, 1, 1}"},
      {"TopK-1",
       {TensorOf(ElementType::kF16, {1, 3}, {1, NAN, 2}), Number(2)},
       {{"axis", "1"}, {"mode", "max"}, {"sort", "value"},
        {"index_element_type", "i64"}},
       "f16[1,2] {nan, 2}; i64[1,2] {1, 2}"},
      {"TopK-3", {Floats({2}, {1, 2}), Number(0)}, {},
       "f32[0] {}; i32[0] {}"},
  });
}

TEST(OrderingTest, FindsElements) {
  ExpectResults({
      {"NonZero-3", {Floats({2, 2}, {0, 3, -0.0, NAN})}, {},
       "i64[2,2] {0, 1, 1, 1}"},
      {"NonZero-3", {Booleans({}, {1})}, {{"output_type", "i32"}},
       "i32[1,1] {0}"},
      {"NonZero-3", {Int32s({0, 2}, {})}, {}, "i64[2,0] {}"},
      {"Bucketize-3", {Floats({4}, {0, 1, 1.5, 9}), List({1, 3})}, {},
       "i64[4] {0, 0, 1, 2}"},
      {"Bucketize-3", {List({0, 1, 3}), List({1, 3})},
       {{"with_right_bound", "false"}, {"output_type", "i32"}},
       "i32[3] {0, 1, 2}"},
      {"SearchSorted-15", {Int32s({2, 2}, {1, 3, 5, 7}),
                           Int32s({2, 1}, {3, 6})}, {}, "i64[2,1] {1, 1}"},
      {"SearchSorted-15", {Int32s({3}, {1, 1, 2}), Int32s({2, 1}, {1, 5})},
       {{"right_mode", "true"}}, "i64[2,1] {2, 3}"},
  });
}

TEST(OrderingTest, FindsWhatIsUnique) {
  const Tensor data = Int32s({6}, {3, 2, 1, 2, 0, 3});
  ExpectResults({
      {"Unique-10", {data}, {{"sorted", "true"}},
       "i32[4] {0, 1, 2, 3}; i64[4] {4, 2, 1, 0}; "
       "i64[6] {3, 2, 1, 2, 0, 3}; i64[4] {1, 1, 2, 2}"},
      {"Unique-10", {data}, {{"sorted", "false"}},
       "i32[4] {3, 2, 1, 0}; i64[4] {0, 1, 2, 4}; "
       "i64[6] {0, 1, 2, 1, 3, 0}; i64[4] {2, 2, 1, 1}"},
      {"Unique-10", {Floats({3, 2}, {3, 1, 1, 2, 3, 1}), Number(0)}, {},
       "f32[2,2] {1, 2, 3, 1}; i64[2] {1, 0}; i64[3] {1, 0, 1}; "
       "i64[2] {1, 2}"},
      {"Unique-10", {Floats({4}, {NAN, -0.0, 0, NAN})}, {},
       "f32[3] {-0, nan, nan}; i64[3] {1, 0, 3}; i64[4] {1, 0, 0, 2}; "
       "i64[3] {2, 1, 1}"},
      {"Unique-10", {Int32s({0}, {})}, {},
       "i32[0] {}; i64[0] {}; i64[0] {}; i64[0] {}"},
  });
}

TEST(OrderingTest, SetsAndSums) {
  const Tensor on = Floats({}, {2}), off = Floats({}, {-1});
  ExpectResults({
      {"OneHot-1", {List({-1, 0, 3}), Number(2), on, off}, {{"axis", "-1"}},
       "f32[3,2] {-1, -1, 2, -1, -1, -1}"},
      {"OneHot-16", {List({-1, 0, -3}), Number(2), on, off},
       {{"axis", "0"}, {"negative_indices_mode", "normalize"}},
       "f32[2,3] {-1, 2, -1, 2, -1, -1}"},
      {"CumSum-0", {Grid(), Number(0)}, {}, "i32[2,3] {1, 2, 3, 5, 7, 9}"},
      // Without an axis it is the first.
      {"CumSum-0", {Grid()}, {}, "i32[2,3] {1, 2, 3, 5, 7, 9}"},
      {"CumSum-0", {Floats({3}, {1, 2, 3})},
       {{"exclusive", "true"}, {"reverse", "true"}}, "f32[3] {5, 3, 0}"},
      {"CumSum-0", {Floats({}, {4}), Number(0)}, {}, "f32[] {4}"},
  });
}

}  // namespace
}  // namespace dovetail
