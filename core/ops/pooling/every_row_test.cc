// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <string>

#include "dovetail/core/ops/pooling/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(PoolingOps());
const InferTester tester(PoolingOps());

TEST(EveryPoolTest, InfersAndRefuses) {
  const TextAttributes window = {{"kernel", "3"}, {"strides", "2"}};
  for (const char* op : {"AvgPool-1", "AvgPool-14", "AvgPool-16", "MaxPool-1",
                         "MaxPool-8", "MaxPool-14"}) {
    // Those with two outputs give indices too.
    const std::string name = op;
    const bool two = name == "MaxPool-8" || name == "MaxPool-14";
    const auto want = [two](const std::string& shape) {
      return two ? "f32" + shape + " i64" + shape : "f32" + shape;
    };
    ExpectShapes(tester, {
        {op, {F32({1, 2, 7})}, window, want("[1,2,3]")},
        {op, {F32({-1, 2, Dimension(5, 9)})}, window, want("[?,2,2..4]")},
        {op, {F32(PartialShape())}, window, want("[?,?,1..]")},
    });
    ExpectErrors(tester, {
        {op, {F32({1, 2, 2})}, window, "the padded input has only 2"},
        {op, {F32({1, 2, 7})}, {{"kernel", "3"}, {"strides", "0"}},
         "attribute 'strides' has the value 0"},
    });
  }
}

TEST(EveryAdaptivePoolTest, InfersAndRefuses) {
  ExpectShapes(tester, {
      {"AdaptiveAvgPool-8", {F32({1, 2, 7}), Ints({3})}, {}, "f32[1,2,3]"},
      {"AdaptiveMaxPool-8", {F32({-1, 2, 7}), Ints({3})}, {},
       "f32[?,2,3] i64[?,2,3]"},
      {"AdaptiveMaxPool-8", {F32({1, 2, 7, 8}), Ints({3, 4})}, {},
       "f32[1,2,3,4] i64[1,2,3,4]"},
  });
  ExpectErrors(tester, {
      {"AdaptiveMaxPool-8", {F32({1, 2, 7}), Ints({3, 4})}, {},
       "input 1 (output extents) has shape [2]"},
  });
}

}  // namespace
}  // namespace dovetail
