#include "dovetail/backends/cpu/steps/indexing/scatter.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type,
                      const std::string& comment = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}", comment, "\n");
}

std::string Constant(const std::string& id, const std::string& shape,
                     const std::string& numbers) {
  return absl::StrCat(id, " = Constant-0() {value: i64[", shape, "] {", numbers,
                      "}}\n");
}

Compared CompareWith(const std::string& model, int threads = 3) {
  CompareOptions options;
  options.settings.threads = threads;
  return Compare(model + "%r = Result-0(%y) {}\n", options);
}

void ExpectKernel(const std::string& model, const std::string& type,
                  const std::string& kernel = "scatter") {
  const Compared compared = CompareWith(model);
  EXPECT_EQ(compared.error, 0) << compared.message << model;
  EXPECT_EQ(compared.KernelOf(type), kernel) << model;
}

// Nodes with empty inputs are the reference kernels' own.
void ExpectEqual(const std::string& model) {
  const Compared compared = CompareWith(model);
  EXPECT_EQ(compared.error, 0) << compared.message << model;
}

void ExpectOutside(const std::string& model) {
  const Compared compared = CompareWith(model);
  EXPECT_TRUE(absl::StrContains(compared.message, "outside"))
      << compared.message << model;
}

// Random indices are 0 to 5.
TEST(ScatterUpdateTest, AnyAxisAndType) {
  for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
    for (const std::string index : {"i64", "i32"}) {
      for (const int axis : {0, 1, -1}) {
        std::string shapes[] = {"6", "7", "700"};
        const std::string data = "6,7,700";
        shapes[(axis + 3) % 3] = "2,3";
        const std::string updates =
            absl::StrCat(shapes[0], ",", shapes[1], ",", shapes[2]);
        for (const std::string comment : {"", "  # constant"}) {
          ExpectKernel(Parameter("%x", data, type) +
                           Parameter("%i", "2,3", index, comment) +
                           Parameter("%u", updates, type) +
                           Constant("%axis", "", absl::StrCat(axis)) +
                           "%y = ScatterUpdate-3(%x, %i, %u, %axis) {}\n",
                       "ScatterUpdate");
        }
      }
    }
  }
}

TEST(ScatterUpdateTest, KnownIndices) {
  const std::string rest = Parameter("%u", "4,3,500", "f32") +
                           Constant("%axis", "", "1") +
                           "%y = ScatterUpdate-3(%x, %i, %u, %axis) {}\n";
  const std::string x = Parameter("%x", "4,7,500", "f32");
  ExpectKernel(x + Constant("%i", "3", "5,0,1") + rest, "ScatterUpdate");
  ExpectKernel(x + Constant("%i", "3", "5,0,5") + rest, "ScatterUpdate");
  ExpectOutside(x + Constant("%i", "3", "5,7,1") + rest);
  ExpectOutside(x + Constant("%i", "3", "5,-1,1") + rest);
}

TEST(ScatterUpdateTest, Empty) {
  const std::string rest = Constant("%axis", "", "1") +
                           "%y = ScatterUpdate-3(%x, %i, %u, %axis) {}\n";
  ExpectEqual(Parameter("%x", "4,7", "f32") + Parameter("%i", "0", "i64") +
              Parameter("%u", "4,0", "f32") + rest);
  ExpectEqual(Parameter("%x", "0,7", "f32") + Parameter("%i", "3", "i64") +
              Parameter("%u", "0,3", "f32") + rest);
  EXPECT_NE(
      CompareWith(Parameter("%x", "0,4", "f32") + Constant("%i", "2", "2,4") +
                  Parameter("%u", "0,2", "f32") + rest)
          .message,
      "");
}

TEST(ScatterNdUpdateTest, Tuples) {
  const char* const cases[][2] = {{"3,1", "3,7,8,90"},
                                  {"4,2", "4,8,90"},
                                  {"2,3,3", "2,3,90"},
                                  {"300,4", "300"},
                                  {"4", ""}};
  for (const auto& [indices, updates] : cases) {
    for (const std::string type : {"f32", "i32", "boolean", "bf16"}) {
      for (const std::string comment : {"", "  # constant"}) {
        ExpectKernel(Parameter("%x", "6,7,8,90", type) +
                         Parameter("%i", indices, "i64", comment) +
                         Parameter("%u", updates, type) +
                         "%y = ScatterNDUpdate-3(%x, %i, %u) {}\n",
                     "ScatterNDUpdate");
      }
    }
  }
}

TEST(ScatterNdUpdateTest, NoIndices) {
  ExpectEqual(Parameter("%x", "6,7,9", "f32") + Parameter("%i", "0,2", "i64") +
              Parameter("%u", "0,9", "f32") +
              "%y = ScatterNDUpdate-3(%x, %i, %u) {}\n");
}

TEST(ScatterNdUpdateTest, Reductions) {
  for (const std::string how : {"none", "sum", "sub", "prod", "min", "max"}) {
    for (const std::string type : {"f32", "i32", "i64", "i8"}) {
      const std::string rest =
          Parameter("%u", "3,900", type) +
          "%y = ScatterNDUpdate-15(%x, %i, %u) {reduction: " + how + "}\n";
      const bool is_native = type != "i8" || how == "none";
      const std::string kernel = is_native ? "scatter" : "reference_i8";
      const std::string x = Parameter("%x", "6,20,900", type);
      ExpectKernel(x + Parameter("%i", "3,2", "i32") + rest, "ScatterNDUpdate",
                   kernel);
      ExpectKernel(x + Constant("%i", "3,2", "4,-1,0,3,0,2") + rest,
                   "ScatterNDUpdate", kernel);
      ExpectKernel(x + Constant("%i", "3,2", "4,-1,4,19,0,2") + rest,
                   "ScatterNDUpdate", kernel);
    }
  }
}

TEST(ScatterNdUpdateTest, WhereTheDataLay) {
  for (const std::string how : {"none", "sum"}) {
    ExpectKernel(Parameter("%a", "40,2000", "f32") + "%x = Relu-0(%a) {}\n" +
                     Constant("%i", "2,1", "7,30") +
                     Parameter("%u", "2,2000", "f32") +
                     "%s = ScatterNDUpdate-15(%x, %i, %u) {reduction: " + how +
                     "}\n%y = Relu-0(%s) {}\n",
                 "ScatterNDUpdate");
    // The updates are a part of the data.
    ExpectKernel(Parameter("%a", "6,6", "f32") + "%x = Relu-0(%a) {}\n" +
                     Parameter("%i", "6,1", "i64") +
                     "%s = ScatterNDUpdate-15(%x, %i, %x) {reduction: " + how +
                     "}\n%y = Relu-0(%s) {}\n",
                 "ScatterNDUpdate");
  }
}

TEST(ScatterNdUpdateTest, Outside) {
  const std::string rest = Parameter("%u", "64,90", "f32") +
                           "%y = ScatterNDUpdate-3(%x, %i, %u) {}\n";
  ExpectOutside(Parameter("%x", "6,3,90", "f32") +
                Parameter("%i", "64,2", "i64") + rest);
  ExpectOutside(Parameter("%x", "6,3,90", "f32") +
                Parameter("%i", "64,2", "i64", "  # constant") + rest);
}

TEST(ScatterElementsUpdateTest, AnyAxisAndShape) {
  for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
    for (const std::string axis : {"0", "1", "-1"}) {
      for (const std::string indices :
           {"6,7,70", "6,7,9", "2,7,70", "3,4,20", "1,1,1"}) {
        ExpectKernel(
            Parameter("%x", "6,7,70", type) + Parameter("%i", indices, "i64") +
                Parameter("%u", indices, type) + Constant("%axis", "", axis) +
                "%y = ScatterElementsUpdate-3(%x, %i, %u, %axis) {}\n",
            "ScatterElementsUpdate");
      }
    }
  }
}

TEST(ScatterElementsUpdateTest, MoreIndicesThanTheAxisHas) {
  ExpectKernel(
      Parameter("%x", "300,6,20", "f32") + Parameter("%i", "300,50,7", "i32") +
          Parameter("%u", "300,50,7", "f32") + Constant("%axis", "", "1") +
          "%y = ScatterElementsUpdate-3(%x, %i, %u, %axis) {}\n",
      "ScatterElementsUpdate");
}

TEST(ScatterElementsUpdateTest, Reductions) {
  for (const std::string how : {"none", "sum", "prod", "min", "max", "mean"}) {
    for (const std::string type : {"f32", "i32", "i64"}) {
      for (const std::string init : {"true", "false"}) {
        const bool is_native =
            how == "none" || (how != "mean" && init == "true");
        ExpectKernel(
            Parameter("%x", "6,50", type) + Parameter("%i", "30,40", "i32") +
                Parameter("%u", "30,40", type) + Constant("%axis", "", "0") +
                "%y = ScatterElementsUpdate-12(%x, %i, %u, %axis) "
                "{reduction: " +
                how + ", use_init_val: " + init + "}\n",
            "ScatterElementsUpdate",
            is_native ? "scatter" : "reference_" + type);
      }
    }
  }
}

TEST(ScatterElementsUpdateTest, NoIndices) {
  ExpectEqual(Parameter("%x", "6,7", "f32") + Parameter("%i", "2,0", "i64") +
              Parameter("%u", "2,0", "f32") + Constant("%axis", "", "1") +
              "%y = ScatterElementsUpdate-3(%x, %i, %u, %axis) {}\n");
}

TEST(ScatterElementsUpdateTest, Outside) {
  ExpectOutside(Parameter("%x", "3,50", "f32") +
                Parameter("%i", "30,40", "i64") +
                Parameter("%u", "30,40", "f32") + Constant("%axis", "", "0") +
                "%y = ScatterElementsUpdate-3(%x, %i, %u, %axis) {}\n");
}

}  // namespace
}  // namespace dovetail::cpu
