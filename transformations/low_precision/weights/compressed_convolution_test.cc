#include "dovetail/transformations/low_precision/weights/compressed_convolution.h"

#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Whether weights of [3,2,1,1] with a scale of that shape are compressed ones.
bool IsCompressed(const std::string& type, const std::string& scale,
                  const std::string& numbers) {
  const int inputs = type == "Convolution" ? 2 : 3;
  const Model model = ParseOrFail(absl::Substitute(
      R"(
    %x = Parameter-0() {shape: [1,$0,4,4], element_type: f32}
    %q = Constant-0() {value: i8[3,2,1,1] {1, 2, 3, 4, 5, 6}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[$1] {$2}}
    %w = Multiply-1(%c, %s) {}
    %y = $3-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %r = Result-0(%y) {})",
      inputs, scale, numbers, type));
  const auto found =
      MatchCompressedConvolution(*model.results()[0]->input(0).node);
  return found.has_value() && found->constant.type() == ElementType::kI8;
}

TEST(CompressedConvolutionTest, HasScalesOfOutputChannels) {
  EXPECT_TRUE(IsCompressed("Convolution", "1", "2"));
  EXPECT_TRUE(IsCompressed("Convolution", "3,1,1,1", "1, 2, 3"));
  EXPECT_FALSE(IsCompressed("Convolution", "1,2,1,1", "1, 2"));
  const std::string transposed = "ConvolutionBackpropData";
  EXPECT_TRUE(IsCompressed(transposed, "1,2,1,1", "1, 2"));
  EXPECT_FALSE(IsCompressed(transposed, "3,1,1,1", "1, 2, 3"));
}

}  // namespace
}  // namespace dovetail
