// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/roi/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(RoiOps());
const InferTester tester(RoiOps());

TEST(EveryRoiTest, InfersAndRefuses) {
  const TextAttributes bins = {
      {"pooled_h", "2"}, {"pooled_w", "3"}, {"spatial_scale", "1"}};
  const InputSpec features = F32({2, 8, 5, 6}), regions = F32({7, 4});
  ExpectShapes(tester, {
      {"PSROIPooling-0", {F32({1, 18, 5, 6}), F32({7, 5})},
       {{"output_dim", "2"}, {"group_size", "3"}, {"spatial_scale", "1"}},
       "f32[7,2,3,3]"},
      {"ROIAlign-3", {F32({2, -1, 5, 6}), regions, I32({-1})}, bins,
       "f32[7,?,2,3]"},
      {"ROIAlign-9", {features, regions, I32({7})}, bins, "f32[7,8,2,3]"},
  });
  ExpectErrors(tester, {
      {"ROIAlign-3", {features, regions, I32({6})}, bins,
       "input 2 has 6 as R, want 7 as input 1 has"},
  });
}

}  // namespace
}  // namespace dovetail
