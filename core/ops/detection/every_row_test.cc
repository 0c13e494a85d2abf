// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <cstdint>

#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(DetectionOps());
const InferTester tester(DetectionOps());

TEST(EveryNonMaxSuppressionTest, BoundsTheNumberOfBoxes) {
  const InputSpec boxes = F32({1, 9, 4}), scores = F32({1, 2, 9});
  const InputSpec any_boxes = F32({-1, -1, 4});
  const InputSpec any_scores = F32({-1, Dimension(1, 2), 9});
  for (const char* op : {"NonMaxSuppression-1", "NonMaxSuppression-3",
                         "NonMaxSuppression-4"}) {
    ExpectShapes(tester, {{op, {boxes, scores, Int(3)}, {}, "i64[0..6,3]"}});
    ExpectErrors(tester, {{op, {F32({1, 8, 4}), scores}, {}, "as N"}});
  }
  for (const char* op : {"NonMaxSuppression-5", "NonMaxSuppression-9"}) {
    ExpectShapes(tester, {
        {op, {boxes, scores, Int(3)}, {}, "i64[0..6,3] f32[0..6,3] i64[1]"},
        {op, {any_boxes, F32({1, Dimension(1, 2), 9}), Int(3)}, {},
         "i64[0..6,3] f32[0..6,3] i64[1]"},
    });
    ExpectErrors(tester, {{op, {F32({1, 9, 5}), scores}, {}, "[1,9,5]"}});
  }
  // Per image, before version 4, the output's extent did not tell of images.
  ExpectShapes(tester, {
      {"NonMaxSuppression-3", {any_boxes, any_scores, Int(3)},
       {{"output_type", "i32"}}, "i32[?,3]"},
      {"NonMaxSuppression-4", {any_boxes, any_scores, Int(3)}, {}, "i64[?,3]"},
  });
}

TEST(EveryPriorBoxTest, InfersDynamicShapes) {
  const InputSpec any = I64(PartialShape());
  const TextAttributes sizes = {{"min_size", "8"}};
  const TextAttributes clustered = {{"width", "1,2"}, {"height", "3,4"}};
  for (const char* op : {"PriorBox-0", "PriorBox-8"}) {
    ExpectShapes(tester, {{op, {any, any}, sizes, "f32[2,?]"}});
    ExpectErrors(tester, {
        {op, {Ints({3, 4, 5}), any}, sizes, "want [2]"},
        {op, {Ints({3, -4}), any}, sizes, "input 0 has -4"},
        {op, {Ints({INT64_MAX, INT64_MAX}), any}, sizes, "too many boxes"},
    });
  }
  ExpectShapes(tester,
               {{"PriorBoxClustered-0", {any, any}, clustered, "f32[2,?]"}});
}

TEST(EveryProposalTest, InfersAndRefuses) {
  const TextAttributes attributes = {
      {"base_size", "16"},    {"pre_nms_topn", "9"}, {"post_nms_topn", "5"},
      {"feat_stride", "8"},   {"ratio", "0.5,1"},    {"scale", "2"},
      {"nms_thresh", "0.7"}};
  const InputSpec scores = F32({2, 4, 3, 3}), deltas = F32({2, 8, 3, 3});
  ExpectShapes(tester, {
      {"Proposal-0", {F32({-1, 4, -1, 3}), F32(PartialShape()), F32({-1})},
       attributes, "f32[?,5]"},
      {"Proposal-4", {scores, deltas, F32({3})}, attributes,
       "f32[10,5] f32[10]"},
  });
  ExpectErrors(tester, {
      {"Proposal-0", {scores, F32({2, 8, 4, 3}), F32({3})}, attributes,
       "input 1 has 4 as H, want 3 as input 0 has"},
  });
}

TEST(EveryMulticlassNmsTest, InfersAndRefuses) {
  ExpectShapes(tester, {
      {"MulticlassNms-8", {F32({-1, 7, 4}), F32({2, -1, 7})},
       {{"keep_top_k", "3"}}, "f32[0..6,6] i64[0..6,1] i64[2]"},
      {"MatrixNms-8", {F32({2, 7, 4}), F32({2, 3, 7})}, {{"keep_top_k", "3"}},
       "f32[0..6,6] i64[0..6,1] i64[2]"},
  });
  ExpectErrors(tester, {
      {"MulticlassNms-8", {F32({2, 7, 4}), F32({2, 3, 8})}, {}, "input 1"},
  });
}

}  // namespace
}  // namespace dovetail
