#include "dovetail/backends/cpu/steps/indexing/slice_scatter.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

struct Case {
  const char *data, *updates, *start, *stop, *step, *axes;  // of two axes
};

std::string ModelOf(const Case& c, const std::string& type) {
  const auto list = [](const char* id, const char* numbers) {
    return absl::StrCat(id, " = Constant-0() {value: i64[2] {", numbers,
                        "}}\n");
  };
  return absl::StrCat(
      "%x = Parameter-0() {shape: [", c.data, "], element_type: ", type,
      "}\n%u = Parameter-0() {shape: [", c.updates, "], element_type: ", type,
      "}\n", list("%b", c.start), list("%e", c.stop), list("%t", c.step),
      list("%a", c.axes),
      "%y = SliceScatter-15(%x, %u, %b, %e, %t, %a) {}\n"
      "%r = Result-0(%y) {}\n");
}

Compared CompareOf(const Case& c, const std::string& type) {
  CompareOptions options;
  options.settings.threads = 3;
  return Compare(ModelOf(c, type), options);
}

TEST(SliceScatterTest, AgreesWithTheReference) {
  for (const Case& c : {
           Case{"2,40,300", "2,39,299", "1, 1", "99, 999", "1, 1", "1, 2"},
           Case{"2,40,300", "2,40,300", "0, 0", "40, 300", "1, 1", "1, 2"},
           Case{"8,40,300", "3,40,300", "6, 0", "0, 40", "-2, 1", "0, 1"},
           Case{"4,7,30", "4,2,10", "-3, 0", "-1, 30", "1, 3", "1, 2"},
       }) {
    for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
      const Compared compared = CompareOf(c, type);
      EXPECT_EQ(compared.error, 0) << compared.message << ModelOf(c, type);
      EXPECT_EQ(compared.KernelOf("SliceScatter"), "scatter");
    }
  }
}

TEST(SliceScatterTest, Empty) {
  const Case c = {"4,7,30", "4,0,30", "5, 0", "5, 30", "1, 1", "1, 2"};
  const Compared compared = CompareOf(c, "f32");
  EXPECT_EQ(compared.error, 0) << compared.message;
}

// Thousands of elements apart from each other are left to the reference.
TEST(SliceScatterTest, ManyShortRuns) {
  const Case c = {"90,90", "45,45", "0, 0", "90, 90", "2, 2", "0, 1"};
  const Compared compared = CompareOf(c, "f32");
  EXPECT_EQ(compared.error, 0) << compared.message;
  EXPECT_NE(compared.KernelOf("SliceScatter"), "scatter");
}

}  // namespace
}  // namespace dovetail::cpu
