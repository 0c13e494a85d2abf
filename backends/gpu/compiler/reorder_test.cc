#include "dovetail/backends/gpu/compiler/reorder.h"

#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/plan_test.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

class ReorderTest : public PlanTest {
 protected:
  // A convolution of one tap reads blocks of channels, and writes them.
  void Check(int images, int inputs, int outputs, int rows, int columns) {
    const std::string model = absl::Substitute(
        R"(
    %0 = Parameter-0() {shape: [$0,$1,$3,$4], element_type: f32}
    %w = Parameter-0() {shape: [$2,$1,1,1], element_type: f32}  # constant
    %1 = Convolution-1(%0, %w) {$5}
    %2 = Result-0(%1) {}
    )",
        images, inputs, outputs, rows, columns,
        "strides: [1,1], dilations: [1,1], pads_begin: [0,0], "
        "pads_end: [0,0], "
        "auto_pad: explicit");
    ExpectPlan(model, "reorder, convolution_direct_f32, reorder");
  }
};

TEST_F(ReorderTest, BlocksOfChannels) {
  Check(1, 16, 32, 4, 4);
  Check(2, 21, 40, 5, 3);
  Check(1, 40, 21, 17, 1);
  Check(3, 17, 9, 7, 9);
  Check(2, 33, 16, 20, 31);
}

}  // namespace
}  // namespace dovetail::gpu
