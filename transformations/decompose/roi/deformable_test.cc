#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/roi/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(DeformableDecompositions());

// Of 4 channels, 2 groups, kernels of 2 x 3; offsets are up to 4.
std::string Convolution(absl::string_view batch, absl::string_view op,
                        int deformable_group, absl::string_view extents,
                        absl::string_view attributes, bool mask = false) {
  const auto parameter = [](absl::string_view name, absl::string_view shape) {
    return absl::StrCat("%", name, " = Parameter-0() {shape: [", shape,
                        "], element_type: f32}\n");
  };
  return absl::StrCat(
      parameter("x", absl::StrCat(batch, ",4,5,6")),
      parameter("o", absl::StrCat(batch, ",", deformable_group * 12, ",",
                                  extents)),
      parameter("k", "6,2,2,3"),
      parameter("m", absl::StrCat(batch, ",", deformable_group * 6, ",",
                                  extents)),
      "%y = ", op, "(%x, %o, %k", mask ? ", %m" : "",
      ") {group: 2, deformable_group: ", deformable_group, attributes,
      "}\n%r = Result-0(%y) {}");
}

TEST(DeformableDecompositionsTest, Convolution) {
  for (int groups : {1, 2}) {
    check.ExpectReplaced("DeformableConvolution",
                         Convolution("2", "DeformableConvolution-1", groups,
                                     "4,4", ""));
    for (absl::string_view pad : {"true", "false"}) {
      check.ExpectReplaced(
          "DeformableConvolution",
          Convolution("?", "DeformableConvolution-8", groups, "3,4",
                      absl::StrCat(", strides: [2, 1], pads_begin: [1, 1], "
                                   "pads_end: [1, 1], dilations: [1, 2], "
                                   "bilinear_interpolation_pad: ", pad),
                      /*mask=*/true));
    }
  }
}

TEST(DeformableDecompositionsTest, PsRoiPooling) {
  const std::string head = R"(
    %b = Constant-0() {value: f32[4,5] {1, 0, 2.5, 7, 10, 0, -4, 3, 5, 15, -1,
      0, 0, 1, 1, 1, 0, 0, 1, 1}}
    %t = Parameter-0() {shape: [4,4,3,3], element_type: f32}
  )";
  for (absl::string_view shape : {"[2,8,5,6]", "[?,8,5,?]"}) {
    for (absl::string_view inputs : {"%x, %b", "%x, %b, %t"}) {
      check.ExpectReplaced(
          "DeformablePSROIPooling",
          absl::StrCat("%x = Parameter-0() {shape: ", shape,
                       ", element_type: f32}", head,
                       "%y = DeformablePSROIPooling-1(", inputs,
                       ") {output_dim: 2, group_size: 2, spatial_scale: 0.5, "
                       "spatial_bins_x: 2, spatial_bins_y: 3, trans_std: 0.1, "
                       "part_size: 3}\n%r = Result-0(%y) {}"));
    }
  }
}

}  // namespace
}  // namespace dovetail
