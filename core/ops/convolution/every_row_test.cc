// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/convolution/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ConvolutionOps());
const InferTester tester(ConvolutionOps());

TEST(EveryConvolutionTest, InfersAndRefuses) {
  const InputSpec bits = Typed(ElementType::kU1, {8, 4, 3, 3});
  const InputSpec kernel = F32({8, 4, 3, 3});
  const TextAttributes strides = {{"strides", "2,2"}};
  ExpectShapes(tester, {
      {"BinaryConvolution-1", {F32({1, 4, 5, 6}), bits}, strides,
       "f32[1,8,2,2]"},
      {"DeformableConvolution-1",
       {F32({-1, 4, -1, 6}), F32({-1, 18, 3, -1}), kernel}, {},
       "f32[?,8,3,4]"},
      {"DeformableConvolution-8",
       {F32({1, 4, 5, 6}), F32({1, 18, 3, 4}), kernel}, {}, "f32[1,8,3,4]"},
      {"GroupConvolutionBackpropData-1",
       {F32({-1, 6, Dimension(4, 8)}), F32({3, 2, 4, 3})}, {{"strides", "2"}},
       "f32[?,12,9..17]"},
  });
  ExpectErrors(tester, {
      {"DeformableConvolution-1",
       {F32({1, 4, 5, 5}), F32({1, 17, 3, 3}), kernel}, {},
       "input 1 has shape [1,17,3,3], want [1,18,3,3]"},
      {"DeformableConvolution-8",
       {F32({2, 4, 5, 5}), F32({1, 18, 3, 3}), kernel}, {},
       "input 1 has shape [1,18,3,3], want [2,18,3,3]"},
      {"GroupConvolutionBackpropData-1",
       {F32({1, 5, 7}), F32({3, 2, 4, 3})}, {}, "channels"},
  });
}

}  // namespace
}  // namespace dovetail
