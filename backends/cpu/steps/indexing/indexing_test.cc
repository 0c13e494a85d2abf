#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/steps/indexing/gather.h"
#include "dovetail/backends/cpu/steps/indexing/top_k.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

std::string Scalar(const std::string& id, int number) {
  return absl::StrCat(id, " = Constant-0() {value: i64[] {", number, "}}\n");
}

void ExpectKernel(const std::string& model, const std::string& type,
                  const std::string& kernel) {
  const Compared compared = Compare(model + "%r = Result-0(%y) {}\n");
  EXPECT_EQ(compared.error, 0) << compared.message << model;
  EXPECT_EQ(compared.KernelOf(type), kernel) << model;
}

TEST(GatherTest, RunsOfAnyType) {
  for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
    for (const std::string index : {"i64", "i32"}) {
      for (const int axis : {0, 1, 2}) {
        // Some indices lie outside, where zeros are gathered.
        ExpectKernel(Parameter("%x", "3,4,5", type) +
                         Parameter("%i", "2,3", index) +
                         Scalar("%axis", axis) +
                         "%y = Gather-8(%x, %i, %axis) {batch_dims: 0}\n",
                     "Gather", "gather");
      }
    }
  }
}

TEST(GatherTest, RowsOfFewBits) {
  for (const std::string type :
       {"u1", "u2", "i2", "u3", "u4", "i4", "nf4", "f4e2m1", "u6"}) {
    // Of three rows, so that some indices lie outside, where bits of 0 are
    // gathered.
    const std::string rest = Parameter("%i", "2,3", "i64") + Scalar("%axis", 0) +
                             "%y = Gather-8(%x, %i, %axis) {batch_dims: 0}\n";
    ExpectKernel(Parameter("%x", "3,24", type) + rest, "Gather", "gather");
    ExpectKernel(Parameter("%x", "3,5", type) + rest, "Gather",
                 "reference_" + type);
  }
}

TEST(GatherTest, Batches) {
  ExpectKernel(Parameter("%x", "2,3,6,5", "f32") +
                   Parameter("%i", "2,4", "i64") + Scalar("%axis", 2) +
                   "%y = Gather-8(%x, %i, %axis) {batch_dims: 1}\n",
               "Gather", "gather");
}

TEST(GatherElementsTest, AnyAxis) {
  for (const std::string axis : {"0", "1", "-1"}) {
    ExpectKernel(Parameter("%x", "6,6,6", "f32") +
                     Parameter("%i", "6,6,6", "i64") +
                     "%y = GatherElements-6(%x, %i) {axis: " + axis + "}\n",
                 "GatherElements", "gather");
  }
}

TEST(GatherNdTest, TuplesAndBatches) {
  for (const std::string type : {"f32", "i64", "boolean"}) {
    for (const std::string indices : {"3,1", "4,2", "2,3,3"}) {
      ExpectKernel(Parameter("%x", "6,6,6,2", type) +
                       Parameter("%i", indices, "i64") +
                       "%y = GatherND-8(%x, %i) {batch_dims: 0}\n",
                   "GatherND", "gather");
    }
    ExpectKernel(Parameter("%x", "3,6,6", type) +
                     Parameter("%i", "3,4,1", "i32") +
                     "%y = GatherND-8(%x, %i) {batch_dims: 1}\n",
                 "GatherND", "gather");
  }
}

TEST(TopKTest, AxesAndOrders) {
  for (const std::string axis : {"-1", "1", "0"}) {
    for (const int k : {1, 3}) {
      for (const std::string sort : {"value", "index"}) {
        for (const std::string mode : {"max", "min"}) {
          const Compared compared = Compare(
              Parameter("%x", "4,5,300", "f32") + Scalar("%k", k) +
              "%y = TopK-3(%x, %k) {axis: " + axis + ", mode: " + mode +
              ", sort: " + sort +
              ", index_element_type: i64}\n"
              "%r = Result-0(%y) {}\n%s = Result-0(%y:1) {}\n");
          EXPECT_EQ(compared.error, 0)
              << axis << k << sort << mode << compared.message;
        }
      }
    }
  }
}

// Channels that lie last are read as they lie.
TEST(TopKTest, BestChannel) {
  for (const int channels : {5, 21, 200}) {
    const Compared compared = Compare(absl::StrCat(
        Parameter("%x", absl::StrCat("2,9,30,", channels), "f32"),
        "%o = Constant-0() {value: i64[4] {0, 3, 1, 2}}\n", Scalar("%k", 1),
        "%t = Transpose-1(%x, %o) {}\n"
        "%y = TopK-3(%t, %k) {axis: 1, mode: max, sort: none, "
        "index_element_type: i64}\n"
        "%r = Result-0(%y) {}\n%s = Result-0(%y:1) {}\n"));
    EXPECT_EQ(compared.error, 0) << compared.message;
    EXPECT_EQ(compared.reorders, 0) << compared.steps;
  }
}

TEST(TopKTest, OnlyIndices) {
  for (const std::string axis : {"1", "2"}) {
    const Compared compared = Compare(
        Parameter("%x", "2,7,9,300", "f32") + Scalar("%k", 1) +
        "%y = TopK-3(%x, %k) {axis: " + axis +
        ", mode: max, sort: none, index_element_type: i32}\n"
        "%r = Result-0(%y:1) {}\n");
    EXPECT_EQ(compared.error, 0) << compared.message;
    EXPECT_EQ(compared.steps, "TopK");
  }
}

}  // namespace
}  // namespace dovetail::cpu
