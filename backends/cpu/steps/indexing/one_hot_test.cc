#include "dovetail/backends/cpu/steps/indexing/one_hot.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Random indices are 0 to 5; those that are taken off make some negative.
std::string Model(const std::string& indices, int depth,
                  const std::string& index, const std::string& type,
                  const std::string& op) {
  const std::string scalar = " = Parameter-0() {shape: [], element_type: ";
  return absl::StrCat(
      "%a = Parameter-0() {shape: [", indices, "], element_type: ", index,
      "}\n%b = Parameter-0() {shape: [", indices, "], element_type: ", index,
      "}\n%i = Subtract-1(%a, %b) {}\n",
      "%depth = Constant-0() {value: i64[] {", depth, "}}\n%on", scalar, type,
      "}\n%off", scalar, type, "}\n%y = ", op, "\n%r = Result-0(%y) {}\n");
}

void ExpectOneHot(const std::string& model,
                  const std::string& kernel = "one_hot") {
  CompareOptions options;
  options.settings.threads = 2;
  const Compared compared = Compare(model, options);
  EXPECT_EQ(compared.error, 0) << compared.message << model;
  EXPECT_EQ(compared.KernelOf("OneHot"), kernel) << model;
}

TEST(OneHotTest, AxesAndTypes) {
  for (const std::string axis : {"0", "1", "2", "-1"}) {
    const std::string op =
        "OneHot-1(%i, %depth, %on, %off) {axis: " + axis + "}";
    for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
      ExpectOneHot(Model("7,6", 4, "i64", type, op));
      ExpectOneHot(Model("40,30", 100, "i32", type, op));
    }
    ExpectOneHot(Model("7,6", 0, "i64", "f32", op), "reference_f32");
  }
}

TEST(OneHotTest, NegativeIndices) {
  for (const std::string mode : {"ignore_negative", "normalize"}) {
    for (const std::string axis : {"0", "1"}) {
      ExpectOneHot(Model("50", 4, "i64", "f32",
                         "OneHot-16(%i, %depth, %on, %off) {axis: " + axis +
                             ", negative_indices_mode: " + mode + "}"));
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
