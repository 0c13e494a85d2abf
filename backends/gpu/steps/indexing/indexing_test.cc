#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

// Random integers are from 0 to 5.
std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

std::string Scalar(const std::string& id, int64_t number) {
  return absl::StrCat(id, " = Constant-0() {value: i64[] {", number, "}}\n");
}

constexpr char kResult[] = "%r = Result-0(%y) {}\n";

// Elements a work item has side by side.
class IndexingTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }
  // The kernels of a model whose result is %y.
  std::string Kernels(const std::string& model) const {
    return KernelsIfRight(model + kResult, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, IndexingTest, testing::Values(16, 4, 1));

TEST_P(IndexingTest, DiagonalsMayBeComputed) {
  for (const char* type : {"f32", "i64", "boolean"}) {
    EXPECT_EQ(
        Kernels(Parameter("%d", "", "i32") + Scalar("%h", 7) + Scalar("%w", 9) +
                "%b = Constant-0() {value: i64[1] {2}}\n"
                "%y = Eye-9(%h, %w, %d, %b) {output_type: " +
                type + "}\n"),
        absl::StrCat("eye_", type));
  }
}

TEST_P(IndexingTest, Gathers) {
  for (const char* type : {"i32", "i64"}) {
    EXPECT_EQ(Kernels(Parameter("%x", "2,5,270") +
                      Parameter("%i", "2,4", type) + Scalar("%a", 1) +
                      "%y = Gather-8(%x, %i, %a) {batch_dims: 1}\n"),
              "gather_f32")
        << "5 is outside: it gives 0";
  }
  EXPECT_EQ(Kernels(Parameter("%x", "2,7,3", "boolean") +
                    Parameter("%i", "2,4,3", "i64") +
                    "%y = GatherElements-6(%x, %i) {axis: 1}\n"),
            "gather_elements_boolean");
  EXPECT_EQ(Kernels(Parameter("%x", "2,6,7,20", "i64") +
                    Parameter("%i", "2,4,2", "i32") +
                    "%y = GatherND-8(%x, %i) {batch_dims: 1}\n"),
            "gather_nd_i64");
}

TEST_P(IndexingTest, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(
      Kernels(Parameter("%x", "7,19") +
              "%i = Constant-0() {value: i64[4] {-1,-7,3,-8}}\n" +
              Scalar("%a", 0) + "%y = Gather-8(%x, %i, %a) {batch_dims: 0}\n"),
      "gather_f32");
  // An error, which the host tells.
  EXPECT_NE(Kernels(Parameter("%x", "7,19") +
                    "%i = Constant-0() {value: i64[1,2] {-8,3}}\n" +
                    "%y = GatherND-8(%x, %i) {batch_dims: 0}\n")
                .find("-8"),
            std::string::npos);
}

TEST_P(IndexingTest, ScattersInOrder) {
  // Of ten indices from 0 to 5 some are the same.
  EXPECT_EQ(Kernels(Parameter("%x", "3,6,20") + Parameter("%i", "2,5", "i64") +
                    Parameter("%u", "3,2,5,20") + Scalar("%a", 1) +
                    "%y = ScatterUpdate-3(%x, %i, %u, %a) {}\n"),
            "scatter_f32");
  for (const char* reduction : {"none", "sum", "sub", "prod", "min", "max"}) {
    EXPECT_EQ(
        Kernels(Parameter("%x", "6,7,20") + Parameter("%i", "30,2", "i32") +
                Parameter("%u", "30,20") +
                "%y = ScatterNDUpdate-15(%x, %i, %u) {reduction: " + reduction +
                "}\n"),
        "scatter_nd_f32")
        << reduction;
  }
}

TEST_P(IndexingTest, ScattersElements) {
  for (const char* type : {"f32", "i32", "i8", "boolean"}) {
    for (const char* reduction :
         {"none", "sum", "prod", "min", "max", "mean"}) {
      if (type == std::string("boolean") && reduction == std::string("mean")) {
        continue;  // there is no such operation
      }
      const std::string model = absl::StrCat(
          Parameter("%x", "3,6,5", type), Parameter("%i", "2,9,5", "i64"),
          Parameter("%u", "2,9,5", type), Scalar("%a", 1),
          "%y = ScatterElementsUpdate-12(%x, %i, %u, %a) {reduction: ",
          reduction, ", use_init_val: ", GetParam() == 1 ? "false" : "true",
          "}\n");
      EXPECT_EQ(Kernels(model), absl::StrCat("scatter_elements_", type))
          << reduction;
    }
  }
}

TEST_P(IndexingTest, FindsTheTop) {
  for (const char* type : {"f32", "i8"}) {
    for (const char* mode : {"max", "min"}) {
      for (const char* sort : {"value", "index"}) {
        const std::string model = absl::StrCat(
            Parameter("%x", "3,50,2", type), Scalar("%k", 11),
            "%t = TopK-11(%x, %k) {axis: 1, mode: ", mode, ", sort: ", sort,
            ", index_element_type: i64, stable: false}\n",
            "%y = Concat-0(%t:1, %t:1) {axis: 0}\n%s = Result-0(%t:0) {}\n");
        EXPECT_EQ(Kernels(model),
                  absl::StrCat("top_k_", mode, "_", type,
                               ", copy_rows_i64, copy_rows_i64"));
      }
    }
  }
}

TEST_P(IndexingTest, SumsAndSearches) {
  for (const char* flags :
       {"exclusive: false, reverse: false", "exclusive: true, reverse: true"}) {
    EXPECT_EQ(Kernels(Parameter("%x", "3,300,2") + Scalar("%a", 1) +
                      "%y = CumSum-0(%x, %a) {" + flags + "}\n"),
              "cum_sum_f32");
    EXPECT_EQ(Kernels(Parameter("%x", "3,30", "i8") + Scalar("%a", -1) +
                      "%y = CumSum-0(%x, %a) {" + flags + "}\n"),
              "cum_sum_i8");
  }
  for (const char* right : {"true", "false"}) {
    EXPECT_EQ(Kernels(Parameter("%x", "4,9", "i32") +
                      "%b = Constant-0() {value: i64[5] {0,1,1,3,4}}\n" +
                      "%y = Bucketize-3(%x, %b) {output_type: i32, "
                      "with_right_bound: " +
                      right + "}\n"),
              "search_i32");
  }
  EXPECT_EQ(Kernels(Parameter("%i", "3,4", "i64") + Scalar("%d", 5) +
                    "%on = Constant-0() {value: f32[] {2}}\n"
                    "%off = Constant-0() {value: f32[] {-1}}\n"
                    "%y = OneHot-1(%i, %d, %on, %off) {axis: 1}\n"),
            "one_hot_f32");
}

TEST_P(IndexingTest, FillsBags) {
  const std::string table =
      Parameter("%x", "6,20") + Parameter("%i", "8", "i32");
  EXPECT_EQ(Kernels(table + Parameter("%w", "8") +
                    "%o = Constant-0() {value: i32[4] {0,3,3,6}}\n"
                    "%d = Constant-0() {value: i32[] {2}}\n"
                    "%y = EmbeddingBagOffsetsSum-3(%x, %i, %o, %d, %w) {}\n"),
            "embedding_bags_f32");
  EXPECT_EQ(Kernels(Parameter("%x", "6,20") + Parameter("%i", "3,4", "i64") +
                    "%y = EmbeddingBagPacked-15(%x, %i) {reduction: mean}\n"),
            "embedding_bags_f32");
  EXPECT_EQ(Kernels(table + Parameter("%s", "8", "i32") +
                    "%n = Constant-0() {value: i32[] {7}}\n"
                    "%y = EmbeddingSegmentsSum-3(%x, %i, %s, %n) {}\n"),
            "embedding_bags_f32");
}

}  // namespace
}  // namespace dovetail::gpu
