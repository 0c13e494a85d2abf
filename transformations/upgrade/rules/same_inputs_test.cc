#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "dovetail/transformations/upgrade/rules/rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(SameInputsUpgrades());

// `lines` make %y of %x, of that shape and f32, and that is the only old
// version among them.
void Check(absl::string_view old, absl::string_view shape,
           absl::string_view lines) {
  const std::string text =
      absl::StrCat("%x = Parameter-0() {shape: ", shape,
                   ", element_type: f32}\n", lines, "\n%r = Result-0(%y) {}");
  check.ExpectReplaced(old, text);
}

TEST(SameInputsUpgradesTest, Pooling) {
  for (absl::string_view rounding : {"floor", "ceil"}) {
    for (absl::string_view shape : {"[1,2,7,6]", "[?,2,?,5..7]"}) {
      const std::string window = absl::StrCat(
          "kernel: [3,2], strides: [2,2], pads_begin: [1,1], pads_end: [1,0], "
          "rounding_type: ", rounding);
      Check("AvgPool-1", shape,
            absl::StrCat("%y = AvgPool-1(%x) {exclude-pad: true, ", window,
                         "}"));
      Check("AvgPool-14", shape,
            absl::StrCat("%y = AvgPool-14(%x) {exclude-pad: false, ", window,
                         "}"));
      Check("MaxPool-1", shape,
            absl::StrCat("%y = MaxPool-1(%x) {", window, "}"));
      Check("MaxPool-8", shape,
            absl::StrCat("%v = MaxPool-8(%x) {", window,
                         ", axis: 2}\n%i = Convert-0(%v:1) {destination_type: "
                         "f32}\n%y = Add-1(%v, %i) {}"));
    }
  }
}

TEST(SameInputsUpgradesTest, Arithmetic) {
  Check("Softmax-1", "[2,?,3]", "%y = Softmax-1(%x) {axis: 2}");
  Check("Gelu-0", "[...]", "%y = Gelu-0(%x) {}");
  Check("Xor-0", "[?,3]", R"(
    %z = Constant-0() {value: f32[] {0}}
    %o = Constant-0() {value: f32[] {1}}
    %p = Greater-1(%x, %z) {}
    %q = Less-1(%x, %o) {}
    %y = Xor-0(%p, %q) {})");
}

TEST(SameInputsUpgradesTest, Shapes) {
  Check("ShapeOf-0", "[?,3]", "%y = ShapeOf-0(%x) {}");
  Check("Broadcast-1", "[1..2,3]", R"(
    %s = Constant-0() {value: i64[3] {4, 2, 3}}
    %y = Broadcast-1(%x, %s) {mode: numpy})");
  Check("Broadcast-1", "[3]", R"(
    %s = Constant-0() {value: i64[2] {3, 2}}
    %a = Constant-0() {value: i64[1] {0}}
    %y = Broadcast-1(%x, %s, %a) {mode: explicit})");
  Check("Squeeze-0", "[?,1,1]", R"(
    %a = Constant-0() {value: i64[1] {-1}}
    %y = Squeeze-0(%x, %a) {})");
  Check("Squeeze-0", "[2,1,1]", "%y = Squeeze-0(%x) {}");
  Check("Pad-1", "[?,3]", R"(
    %b = Constant-0() {value: i64[2] {1, 0}}
    %e = Constant-0() {value: i64[2] {1, 2}}
    %y = Pad-1(%x, %b, %e) {pad_mode: symmetric})");
}

TEST(SameInputsUpgradesTest, Order) {
  for (absl::string_view version : {"TopK-1", "TopK-3"}) {
    Check(version, "[?,7]", absl::StrCat(R"(
      %k = Constant-0() {value: i64[] {3}}
      %t = )", version, R"((%x, %k) {axis: -1, mode: min, sort: value}
      %i = Convert-0(%t:1) {destination_type: f32}
      %y = Subtract-1(%t, %i) {})"));
  }
}

TEST(SameInputsUpgradesTest, Indices) {
  Check("ScatterElementsUpdate-3", "[3,?]", R"(
    %i = Constant-0() {value: i64[1,2] {2, 0}}
    %u = Constant-0() {value: f32[1,2] {7, 8}}
    %a = Constant-0() {value: i64[] {0}}
    %y = ScatterElementsUpdate-3(%x, %i, %u, %a) {})");
  Check("ScatterNDUpdate-3", "[3,2]", R"(
    %i = Constant-0() {value: i64[2,1] {2, 0}}
    %u = Constant-0() {value: f32[2,2] {7, 8, 9, 10}}
    %y = ScatterNDUpdate-3(%x, %i, %u) {})");
  Check("OneHot-1", "[1]", R"(
    %i = Constant-0() {value: i64[3] {-1, 2, 5}}
    %d = Constant-0() {value: i64[] {4}}
    %n = Constant-0() {value: f32[] {9}}
    %f = Constant-0() {value: f32[] {1}}
    %o = OneHot-1(%i, %d, %n, %f) {axis: -1}
    %y = Add-1(%o, %x) {})");
}

TEST(SameInputsUpgradesTest, Embeddings) {
  Check("EmbeddingBagOffsetsSum-3", "[4,?]", R"(
    %i = Constant-0() {value: i64[4] {0, 2, 3, 3}}
    %o = Constant-0() {value: i64[3] {0, 2, 2}}
    %d = Constant-0() {value: i64[] {1}}
    %y = EmbeddingBagOffsetsSum-3(%x, %i, %o, %d) {})");
  Check("EmbeddingBagPackedSum-3", "[4,?]", R"(
    %i = Constant-0() {value: i64[2,2] {0, 2, 3, 3}}
    %y = EmbeddingBagPackedSum-3(%x, %i) {})");
}

TEST(SameInputsUpgradesTest, RegionsOfInterest) {
  Check("ROIAlign-3", "[1,2,6,6]", R"(
    %b = Constant-0() {value: f32[2,4] {0, 0, 4, 3, 1, 1, 5, 5}}
    %i = Constant-0() {value: i64[2] {0, 0}}
    %y = ROIAlign-3(%x, %b, %i) {pooled_h: 2, pooled_w: 3, sampling_ratio: 2,
         spatial_scale: 0.75, mode: max})");
  Check("DeformableConvolution-1", "[1,2,4,4]", R"(
    %o = Constant-0() {value: f32[1,2,4,4] {-1.5, 0.25, 0.5, 0, 1, 2, -0.5, 0.75, 0, 0, 0.5, 1, 0.25, 3, -2, 0,
        0.5, 0.5, -3, 1, 0.25, 0, 0, 0, 1, 0.75, 0.5, 0, -0.25, 0, 0.5, 1}}
    %w = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %y = DeformableConvolution-1(%x, %o, %w) {strides: [1,1],
         pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]})");
}

TEST(SameInputsUpgradesTest, Suppression) {
  const absl::string_view boxes = R"(
    %b = Constant-0() {value: f32[1,3,4] {0, 0, 2, 2, 0, 0, 2, 1.9, 5, 5, 6, 6}}
    %m = Constant-0() {value: i64[] {5}}
    %t = Constant-0() {value: f32[] {0.5}}
    %z = Constant-0() {value: f32[] {-10}}
    )";
  for (absl::string_view version : {"1", "3", "4", "5"}) {
    Check(absl::StrCat("NonMaxSuppression-", version), "[1,2,3]",
          absl::StrCat(boxes, "%y = NonMaxSuppression-", version,
                       "(%b, %x, %m, %t, %z) {box_encoding: center}"));
  }
  Check("MulticlassNms-8", "[1,2,3]",
        absl::StrCat(boxes, "%y = MulticlassNms-8(%b, %x) {iou_threshold: 0.5, "
                            "score_threshold: -9, background_class: 1}"));
}

constexpr char kPriors[] = R"(
    %m = Constant-0() {value: i64[2] {1, 2}}
    %i = Constant-0() {value: i64[2] {10, 20}}
    %p = PriorBox-0(%m, %i) {min_size: [2], max_size: [4], aspect_ratio: [2],
         flip: true, offset: 0.5, variance: [0.1]}
    )";

TEST(SameInputsUpgradesTest, Detection) {
  Check("PriorBox-0", "[]", absl::StrCat(kPriors, "%y = Add-1(%p, %x) {}"));
  Check("Proposal-0", "[1,2,3,3]", R"(
    %d = Constant-0() {value: f32[1,4,1,1] {0.25, 0, 0.5, 0}}
    %t = Constant-0() {value: i64[4] {1, 1, 3, 3}}
    %e = Tile-0(%d, %t) {}
    %i = Constant-0() {value: f32[3] {60, 60, 1}}
    %y = Proposal-0(%x, %e, %i) {base_size: 8, pre_nms_topn: 9,
         post_nms_topn: 4, nms_thresh: 0.7, feat_stride: 16, min_size: 1,
         ratio: [1], scale: [2]})");
}

constexpr char kDetection[] = R"(
    %l = Constant-0() {value: f32[1,8] {0, 0.1, 0, 0, 0.2, 0, 0, 0}}
    %q = Constant-0() {value: f32[1,2,8] {0, 0, 0.5, 0.5, 0.4, 0.4, 1, 1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}}
    %y = DetectionOutput-0(%l, %x, %q) {num_classes: 3, keep_top_k: [4],
         nms_threshold: 0.5, normalized: true}
    )";

TEST(SameInputsUpgradesTest, ClassesAreCounted) {
  Check("DetectionOutput-0", "[1,6]", kDetection);
  check.ExpectDeclined("DetectionOutput",
                       absl::StrCat("%x = Parameter-0() {shape: [1,?], "
                                    "element_type: f32}",
                                    kDetection, "%r = Result-0(%y) {}"));
}

TEST(SameInputsUpgradesTest, Variables) {
  check.ExpectReplaced("Assign-3", R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %v = ReadValue-6(%x) {variable_id: "v", variable_type: f32,
         variable_shape: [2]}
    %y = Add-1(%v, %x) {}
    %a = Assign-3(%y) {variable_id: "v"}
    %r = Result-0(%y) {})");
}

}  // namespace
}  // namespace dovetail
