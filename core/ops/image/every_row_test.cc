// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <utility>

#include "dovetail/core/ops/image/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ImageOps());
const InferTester tester(ImageOps());

InputSpec U8(PartialShape shape) {
  return Typed(ElementType::kU8, std::move(shape));
}

TEST(EveryColorConversionTest, InfersAndRefuses) {
  for (const char* op : {"NV12toBGR-8", "NV12toRGB-8", "I420toBGR-8",
                         "I420toRGB-8"}) {
    ExpectShapes(tester, {
        {op, {U8({1, 6, 8, 1})}, {}, "u8[1,4,8,3]"},
        {op, {U8({-1, 6, Dimension(2, 9), 1})}, {}, "u8[?,4,2..9,3]"},
    });
    ExpectErrors(tester, {
        {op, {U8({1, 6, 8, 2})}, {}, "want 1 channels along axis 3"},
    });
  }
  for (const char* op : {"RGBtoNV12-17", "BGRtoNV12-17"}) {
    ExpectShapes(tester, {
        {op, {U8({2, 4, 8, 3})}, {}, "u8[2,6,8,1]"},
        {op, {U8({-1, 4, Dimension(2, 9), 3})}, {}, "u8[?,6,2..9,1]"},
    });
    ExpectErrors(tester, {
        {op, {U8({1, 3, 8, 3})}, {}, "want a height that is a multiple of 2"},
    });
  }
}

TEST(EveryResizeTest, InfersStaticShapes) {
  ExpectShapes(tester, {
      {"GridSample-9", {F32({2, 3, 8, 9}), F32({2, 4, 5, 2})}, {},
       "f32[2,3,4,5]"},
      {"Interpolate-0", {F32({1, 3, 4, 5}), Ints({8, 10})},
       {{"axes", "2,3"}, {"mode", "nearest"}}, "f32[1,3,8,10]"},
  });
}

}  // namespace
}  // namespace dovetail
