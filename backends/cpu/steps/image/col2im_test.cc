#include "dovetail/backends/cpu/steps/image/col2im.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

struct Case {
  std::string patches, image, kernel, window;
};

TEST(Col2ImTest, SumsPatches) {
  for (const Case& c : {
           Case{"2,36,12", "5, 6", "3, 3", ""},
           Case{"1,12,8", "4, 8", "2, 2", "strides: [2,2]"},
           Case{"54,16", "7, 7", "3, 3",
                "strides: [2,2], pads_begin: [1,1], pads_end: [1,1]"},
           Case{"2,6,50", "8, 9", "3, 2",
                "dilations: [2,1], pads_begin: [0,2], pads_end: [1,0]"},
           Case{"1,4,9", "1, 1", "2, 2",
                "pads_begin: [2,2], pads_end: [1,1]"},
       }) {
    const std::string model = absl::StrCat(
        "%x = Parameter-0() {shape: [", c.patches, "], element_type: f32}\n",
        "%i = Constant-0() {value: i64[2] {", c.image, "}}\n",
        "%k = Constant-0() {value: i64[2] {", c.kernel, "}}\n",
        "%y = Col2Im-15(%x, %i, %k) {", c.window, "}\n%r = Result-0(%y) {}\n");
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, 1e-6) << compared.message << model;
    EXPECT_EQ(compared.KernelOf("Col2Im"), "sum_patches") << model;
  }
}

}  // namespace
}  // namespace dovetail::cpu
