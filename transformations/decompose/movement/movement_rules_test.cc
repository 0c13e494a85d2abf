#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/movement/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// `lines` make %y of %x, of that shape and f32.
std::string Of(absl::string_view shape, absl::string_view lines) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n", lines, "\n%r = Result-0(%y) {}");
}

// An operation of %x and constants; the first call is `a`, and so on.
std::string With(absl::string_view shape,
                 const std::vector<std::string>& constants,
                 absl::string_view call) {
  std::string lines;
  char name = 'a';
  for (const std::string& constant : constants) {
    absl::StrAppend(&lines, "%", std::string(1, name++),
                    " = Constant-0() {value: ", constant, "}\n");
  }
  return Of(shape, absl::StrCat(lines, "%y = ", call));
}

// ---- Reshaping ----

TEST(ReshapingDecompositionsTest, Squeeze) {
  const RuleCheck check(ReshapingDecompositions());
  for (absl::string_view op : {"Squeeze-0", "Squeeze-15"}) {
    const std::string call = absl::StrCat(op, "(%x, %a) {}");
    check.ExpectReplaced("Squeeze", With("[1,?,1]", {"i64[1] {-1}"}, call));
    check.ExpectReplaced("Squeeze", With("[1,3,1]", {"i32[2] {0, 1}"}, call));
    check.ExpectReplaced("Squeeze", With("[1,1]", {"i64[] {0}"}, call));
    check.ExpectReplaced("Squeeze",
                         With("[1,2,1]", {}, absl::StrCat(op, "(%x) {}")));
    check.ExpectReplaced("Squeeze",
                         With("[1,1]", {}, absl::StrCat(op, "(%x) {}")));
    check.ExpectReplaced("Squeeze", With("[..1,?,1]", {"i64[2] {0, 2}"}, call));
    check.ExpectDeclined("Squeeze", With("[?,2,1]", {},
                                         absl::StrCat(op, "(%x) {}")));
  }
}

TEST(ReshapingDecompositionsTest, WhatMayStayIsNotSqueezed) {
  const RuleCheck check(ReshapingDecompositions());
  check.ExpectDeclined("Squeeze",
                       With("[?,2,1]", {"i64[1] {0}"},
                            "Squeeze-15(%x, %a) {allow_axis_skip: true}"));
}

TEST(ReshapingDecompositionsTest, Unsqueeze) {
  const RuleCheck check(ReshapingDecompositions());
  for (absl::string_view axes : {"i64[2] {0, -1}", "i64[] {1}", "i32[1] {-2}"}) {
    for (absl::string_view shape : {"[2,3]", "[?,3]", "[?,?,0]"}) {
      check.ExpectReplaced("Unsqueeze", With(shape, {std::string(axes)},
                                             "Unsqueeze-0(%x, %a) {}"));
    }
  }
  check.ExpectDeclined("Unsqueeze", With("[...]", {"i64[1] {0}"},
                                         "Unsqueeze-0(%x, %a) {}"));
}

TEST(ReshapingDecompositionsTest, Tile) {
  const RuleCheck check(ReshapingDecompositions());
  for (absl::string_view repeats :
       {"[2] {2, 3}", "[3] {2, 1, 1}", "[1] {2}", "[2] {0, -1}"}) {
    for (absl::string_view shape : {"[2,3]", "[?,3]"}) {
      check.ExpectReplaced(
          "Tile", With(shape, {absl::StrCat("i32", repeats)},
                       "Tile-0(%x, %a) {}"));
    }
  }
  check.ExpectReplaced("Tile", With("[]", {"i64[2] {2, 3}"},
                                    "Tile-0(%x, %a) {}"));
}

TEST(ReshapingDecompositionsTest, Broadcast) {
  const RuleCheck check(ReshapingDecompositions());
  // One of mode numpy is left where there was another.
  check.ExpectChanged(With("[1..2,3]", {"i64[3] {2, 4, 3}", "i64[2] {0, 2}"},
                   "Broadcast-3(%x, %a, %b) {mode: explicit}"));
  check.ExpectChanged(With("[?,1,3]", {"i32[2] {4, 1}"},
                   "Broadcast-3(%x, %a) {mode: bidirectional}"));
  check.ExpectChanged(With("[3]", {"i64[3] {2, 4, 1}"},
                   "Broadcast-3(%x, %a) {mode: bidirectional}"));
  check.ExpectDeclined("Broadcast", With("[3]", {"i64[3] {2, 4, 3}"},
                                         "Broadcast-3(%x, %a) {}"));
}

// ---- Slicing ----

TEST(SlicingDecompositionsTest, Split) {
  const RuleCheck check(SlicingDecompositions());
  for (absl::string_view shape : {"[2,6]", "[?,6]", "[2,6..6]"}) {
    check.ExpectReplaced("Split", With(shape, {"i64[] {-1}"},
                         "Split-1(%x, %a) {num_splits: 3}\n"
                         "%q = Result-0(%y:2) {}\n%s = Result-0(%y:1) {}"));
  }
  RuleCheck even(SlicingDecompositions());
  even.extents = {3, 6};
  even.ExpectReplaced("Split", With("[2,?]", {"i64[] {1}"},
                      "Split-1(%x, %a) {num_splits: 3}\n"
                      "%q = Result-0(%y:2) {}\n%s = Result-0(%y:1) {}"));
}

TEST(SlicingDecompositionsTest, VariadicSplit) {
  const RuleCheck check(SlicingDecompositions());
  for (absl::string_view extents :
       {"{1, 2, 4}", "{1, -1, 4}", "{-1, 2, 0}", "{3, 4, -1}", "{0, 3, -1}",
        "{-1, 0, 0}", "{7, 0, -1}"}) {
    for (absl::string_view shape : {"[2,7]", "[?,7..9]", "[?,7]"}) {
      const bool is_sum = extents == "{1, 2, 4}";
      if (is_sum && shape == "[?,7..9]") continue;
      check.ExpectReplaced(
          "VariadicSplit",
          With(shape, {"i64[] {1}", absl::StrCat("i64[3] ", extents)},
               "VariadicSplit-1(%x, %a, %b) {}\n"
               "%q = Result-0(%y:2) {}\n%s = Result-0(%y:1) {}"));
    }
  }
}

void CheckStridedSlice(absl::string_view shape, absl::string_view begin,
                       absl::string_view end, absl::string_view strides,
                       absl::string_view masks) {
  const RuleCheck check(SlicingDecompositions());
  check.ExpectReplaced(
      "StridedSlice",
      With(shape,
           {absl::StrCat("i64", begin), absl::StrCat("i64", end),
            absl::StrCat("i64", strides)},
           absl::StrCat("StridedSlice-1(%x, %a, %b, %c) {", masks, "}")));
}

TEST(SlicingDecompositionsTest, StridedSlice) {
  for (absl::string_view shape : {"[3,4,5]", "[?,4,5]"}) {
    CheckStridedSlice(shape, "[3] {0, 1, -1}", "[3] {2, 4, -6}",
                      "[3] {1, 2, -2}", "");
    CheckStridedSlice(shape, "[3] {1, 1, 1}", "[3] {2, 2, 2}", "[3] {1, 1, -1}",
                      "begin_mask: [1, 0, 1], end_mask: [0, 1, 1]");
    CheckStridedSlice(shape, "[2] {-1, 1}", "[2] {0, 3}", "[2] {1, 1}",
                      "shrink_axis_mask: [1, 0]");
    CheckStridedSlice(shape, "[4] {0, 1, 0, 2}", "[4] {0, 3, 0, 0}",
                      "[4] {1, 1, 1, 1}",
                      "new_axis_mask: [1, 0, 0, 0], ellipsis_mask: [0, 0, 1, "
                      "0], shrink_axis_mask: [0, 0, 0, 1]");
    CheckStridedSlice(shape, "[3] {0, 0, 1}", "[3] {0, 0, 2}", "[3] {1, 1, 1}",
                      "ellipsis_mask: [1], new_axis_mask: [0, 1]");
  }
}

TEST(SlicingDecompositionsTest, StridedSliceOfUnknownEnds) {
  const RuleCheck check(SlicingDecompositions());
  check.ExpectReplaced("StridedSlice", R"(
    %x = Parameter-0() {shape: [3,?], element_type: f32}
    %s = ShapeOf-3(%x) {output_type: i32}
    %o = Constant-0() {value: i32[2] {2, 1}}
    %b = Subtract-1(%s, %o) {}
    %y = StridedSlice-1(%x, %b, %s) {shrink_axis_mask: [1, 0]}
    %r = Result-0(%y) {})");
}

TEST(SlicingDecompositionsTest, SliceScatter) {
  const RuleCheck check(SlicingDecompositions());
  check.ExpectReplaced("SliceScatter", R"(
    %x = Parameter-0() {shape: [?,5], element_type: f32}
    %b = Constant-0() {value: i64[1] {-1}}
    %e = Constant-0() {value: i64[1] {0}}
    %s = Constant-0() {value: i64[1] {-2}}
    %a = Constant-0() {value: i64[1] {1}}
    %u = Slice-8(%x, %b, %e, %s, %a) {}
    %v = Exp-0(%u) {}
    %y = SliceScatter-15(%x, %v, %b, %e, %s, %a) {}
    %r = Result-0(%y) {})");
  check.ExpectReplaced("SliceScatter", With("[2,3]",
      {"i64[2] {1, 1}", "i64[2] {2, 9}", "i64[2] {1, 1}", "f32[1,2] {7, 8}"},
      "SliceScatter-15(%x, %d, %a, %b, %c) {}"));
}

// ---- Order ----

TEST(OrderDecompositionsTest, Reverse) {
  const RuleCheck check(OrderDecompositions());
  for (absl::string_view shape : {"[2,3,2]", "[?,3,?]"}) {
    check.ExpectReplaced("Reverse", With(shape, {"i64[2] {0, 2}"},
                                         "Reverse-1(%x, %a) {mode: index}"));
    check.ExpectReplaced("Reverse", With(shape, {"boolean[3] {0, 1, 1}"},
                                         "Reverse-1(%x, %a) {mode: mask}"));
  }
}

TEST(OrderDecompositionsTest, ReverseSequence) {
  const RuleCheck check(OrderDecompositions());
  for (absl::string_view axes :
       {"batch_axis: 0, seq_axis: 1", "batch_axis: 2, seq_axis: 0",
        "batch_axis: 0, seq_axis: -1"}) {
    check.ExpectReplaced(
        "ReverseSequence",
        With("[2,3,2]", {"i32[2] {0, 2}"},
             absl::StrCat("ReverseSequence-0(%x, %a) {", axes, "}")));
  }
  check.ExpectReplaced("ReverseSequence",
                       With("[2,2..,?]", {"i64[2] {1, 2}"},
                            "ReverseSequence-0(%x, %a) {}"));
}

TEST(OrderDecompositionsTest, Roll) {
  const RuleCheck check(OrderDecompositions());
  for (absl::string_view shape : {"[2,5]", "[?,5]", "[0,5]"}) {
    check.ExpectReplaced("Roll", With(shape, {"i64[] {-3}", "i64[1] {1}"},
                                      "Roll-7(%x, %a, %b) {}"));
    check.ExpectReplaced("Roll",
                         With(shape, {"i32[3] {1, 12, 1}", "i64[3] {0, -1, 0}"},
                              "Roll-7(%x, %a, %b) {}"));
    check.ExpectReplaced("Roll", With(shape, {"i64[] {1}", "i64[2] {0, 1}"},
                                      "Roll-7(%x, %a, %b) {}"));
  }
}

TEST(OrderDecompositionsTest, Pad) {
  const RuleCheck check(OrderDecompositions());
  for (absl::string_view mode : {"edge", "reflect", "symmetric"}) {
    for (absl::string_view shape : {"[2,4]", "[2..,4]"}) {
      for (absl::string_view end : {"{1, 0}", "{0, -1}", "{1, 3}"}) {
        check.ExpectReplaced(
            "Pad", With(shape, {"i64[2] {1, 2}", absl::StrCat("i64[2] ", end)},
                        absl::StrCat("Pad-12(%x, %a, %b) {pad_mode: ", mode,
                                     "}")));
      }
    }
  }
  check.ExpectDeclined("Pad", With("[2,4]", {"i64[2] {1, 2}", "i64[2] {0, 1}"},
                                   "Pad-12(%x, %a, %b) {pad_mode: constant}"));
}

// ---- Blocks ----

TEST(BlockDecompositionsTest, Depth) {
  const RuleCheck check(BlockDecompositions());
  for (absl::string_view mode : {"blocks_first", "depth_first"}) {
    const std::string attributes =
        absl::StrCat("(%x) {block_size: 2, mode: ", mode, "}");
    for (absl::string_view shape : {"[2,8,3]", "[?,8,3,?]", "[1,16,2,1,2]"}) {
      check.ExpectReplaced(
          "DepthToSpace",
          With(shape, {}, absl::StrCat("DepthToSpace-0", attributes)));
    }
    for (absl::string_view shape : {"[2,3,4]", "[?,?,2,4]", "[1,2,2,4,6]"}) {
      check.ExpectReplaced(
          "SpaceToDepth",
          With(shape, {}, absl::StrCat("SpaceToDepth-0", attributes)));
    }
  }
}

TEST(BlockDecompositionsTest, Channels) {
  const RuleCheck check(BlockDecompositions());
  for (absl::string_view shape : {"[2,6,3]", "[?,6,?]"}) {
    for (int group : {1, 2, 3}) {
      check.ExpectReplaced(
          "ShuffleChannels",
          With(shape, {}, absl::StrCat("ShuffleChannels-0(%x) {axis: -2, group: ",
                                       group, "}")));
    }
  }
}

TEST(BlockDecompositionsTest, Batch) {
  const RuleCheck check(BlockDecompositions());
  for (absl::string_view shape : {"[2,3,5]", "[?,3,5]"}) {
    check.ExpectReplaced(
        "SpaceToBatch", With(shape, {"i64[3] {1, 2, 3}", "i64[3] {0, 1, 0}",
                                     "i64[3] {0, 0, 1}"},
                             "SpaceToBatch-1(%x, %a, %b, %c) {}"));
  }
  for (absl::string_view shape : {"[12,3,5]", "[12,?,5]"}) {
    check.ExpectReplaced(
        "BatchToSpace", With(shape, {"i64[3] {1, 2, 3}", "i64[3] {0, 1, 0}",
                                     "i64[3] {0, 0, 4}"},
                             "BatchToSpace-1(%x, %a, %b, %c) {}"));
  }
}

// ---- Filling ----

TEST(FillingDecompositionsTest, Eye) {
  const RuleCheck check(FillingDecompositions());
  for (absl::string_view diagonal : {"{0}", "{2}", "{-1}", "{9}"}) {
    check.ExpectReplaced(
        "Eye", With("[3,4]", {"i32[] {3}", "i32[1] {4}",
                              absl::StrCat("i32[1] ", diagonal)},
                    "Eye-9(%a, %b, %c) {output_type: i8}"));
    check.ExpectReplaced(
        "Eye", With("[3,4]", {"i64[] {4}", "i64[] {2}",
                              absl::StrCat("i64[] ", diagonal), "i32[2] {2, 1}"},
                    "Eye-9(%a, %b, %c, %d) {}"));
  }
}

TEST(FillingDecompositionsTest, OneHot) {
  const RuleCheck check(FillingDecompositions());
  for (absl::string_view mode : {"ignore-negative", "normalize"}) {
    for (int axis : {-1, 0, 1}) {
      check.ExpectReplaced(
          "OneHot",
          Of("[?,2]", absl::StrCat(R"(
            %i = Convert-0(%x) {destination_type: i32}
            %d = Constant-0() {value: i64[] {3}}
            %n = Constant-0() {value: f32[] {5}}
            %f = Constant-0() {value: f32[] {-1}}
            %y = OneHot-16(%i, %d, %n, %f) {negative_indices_mode: )", mode,
                                   ", axis: ", axis, "}")));
    }
  }
}

}  // namespace
}  // namespace dovetail
