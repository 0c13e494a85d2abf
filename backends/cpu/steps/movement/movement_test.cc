#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/steps/movement/boxes.h"
#include "dovetail/backends/cpu/steps/movement/concat.h"
#include "dovetail/backends/cpu/steps/movement/slices.h"
#include "dovetail/backends/cpu/steps/movement/transposes.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32",
                      const std::string& name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}",
                      name.empty() ? "" : "  # " + name, "\n");
}

std::string List(const std::string& id, int count,
                 const std::string& numbers) {
  return absl::StrCat(id, " = Constant-0() {value: i64[", count, "] {",
                      numbers, "}}\n");
}

// A value that some step has computed, so that its memory is the plan's.
std::string Computed(const std::string& id, const std::string& shape,
                     const std::string& op = "Exp-0") {
  return Parameter(id + "in", shape) + id + " = " + op + "(" + id +
         "in) {}\n";
}

// The same from a convolution, in the layout that this likes.
std::string Convolved(const std::string& id, int batch, int channels) {
  return Parameter(id + "in", absl::StrCat(batch, ",16,6,8")) +
         Parameter(id + "w", absl::StrCat(channels, ",16,1,1"), "f32",
                   "constant " + id) +
         id + " = Convolution-1(" + id + "in, " + id +
         "w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], "
         "pads_end: [0,0], auto_pad: explicit}\n";
}

void ExpectSteps(const std::string& model, const std::string& steps) {
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, 2e-5) << compared.message << model;
  EXPECT_EQ(compared.steps, steps) << model;
}

void ExpectSame(const std::string& model) {
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, 2e-5) << compared.message << model;
}

constexpr char kResult[] = "%r = Result-0(%y) {}\n";
// Steps that read a part where it lies.
constexpr char kLogResult[] = "%z = Log-0(%y) {}\n%r = Result-0(%z) {}\n";

TEST(ConcatTest, PartsAreWrittenSideBySide) {
  ExpectSteps(Computed("%a", "1,3,4") + Computed("%b", "1,5,4") +
                  "%y = Concat-0(%a, %b) {axis: 1}\n" + kResult,
              "Exp, Exp");
}

TEST(ConcatTest, PartsOfPartsAreWrittenSideBySide) {
  ExpectSteps(Computed("%a", "3,4") + Computed("%b", "5,4") +
                  Computed("%c", "2,4") +
                  "%d = Concat-0(%a, %b) {axis: 0}\n"
                  "%y = Concat-0(%c, %d) {axis: 0}\n" +
                  kLogResult,
              "Exp, Exp, Exp, Log");
}

TEST(ConcatTest, CopiesWhatIsNotItsOwn) {
  ExpectSteps(Parameter("%a", "3,4") + Computed("%b", "5,4") +
                  "%y = Concat-0(%a, %b) {axis: 0}\n" + kResult,
              "Exp, Concat");
  ExpectSteps(Computed("%b", "5,4") + "%y = Concat-0(%b, %b) {axis: 0}\n" +
                  kResult,
              "Exp, Concat");
}

TEST(ConcatTest, InnerAxesAndTypes) {
  for (const std::string axis : {"-1", "1", "0"}) {
    for (const std::string type : {"f32", "i64", "u8", "boolean", "f16"}) {
      ExpectSame(Parameter("%a", "3,4,5", type) +
                 Parameter("%b", "3,4,5", type) +
                 "%y = Concat-0(%a, %b) {axis: " + axis + "}\n" + kResult);
    }
  }
}

TEST(ConcatTest, AnyLayout) {
  for (const int batch : {1, 2}) {
    for (const auto& [a, b] : {std::pair{16, 32}, {8, 12}, {3, 5}, {20, 16}}) {
      for (const int axis : {1, 2, 3}) {
        if (axis != 1 && a != b) continue;
        ExpectSame(Convolved("%a", batch, a) + Convolved("%b", batch, b) +
                   absl::StrCat("%y = Concat-0(%a, %b) {axis: ", axis,
                                "}\n") +
                   kResult);
      }
      ExpectSame(Convolved("%a", batch, a) + Convolved("%b", batch, a) +
                 "%y = Concat-0(%a, %b) {axis: 3}\n" + kResult);
    }
  }
}

TEST(SplitTest, OuterPartsAreViews) {
  ExpectSteps(Computed("%a", "1,6,4") + List("%axis", 1, "1") +
                  "%s = Constant-0() {value: i64[] {1}}\n"
                  "%p = Split-1(%a, %s) {num_splits: 3}\n"
                  "%y = Add-1(%p:0, %p:2) {}\n" +
                  kResult,
              "Exp, Add");
}

TEST(SplitTest, AnyLayout) {
  for (const int batch : {1, 2}) {
    for (const int channels : {6, 24, 48}) {
      for (const int axis : {1, 2}) {
        ExpectSame(Convolved("%a", batch, channels) +
                   absl::StrCat("%s = Constant-0() {value: i64[] {", axis,
                                "}}\n") +
                   "%p = Split-1(%a, %s) {num_splits: 3}\n"
                   "%y = Subtract-1(%p:0, %p:2) {}\n"
                   "%q = Result-0(%p:1) {}\n" +
                   kResult);
      }
    }
  }
}

TEST(SliceTest, StepsAndLayouts) {
  const std::string lists = List("%begin", 2, "1, 5") +
                            List("%end", 2, "40, 0") +
                            List("%step", 2, "1, -2");
  for (const std::string axes : {"1, 2", "2, 3", "1, 3", "0, 3"}) {
    for (const int channels : {24, 5}) {
      ExpectSame(Convolved("%a", 2, channels) + lists +
                 List("%axes", 2, axes) +
                 "%y = Slice-8(%a, %begin, %end, %step, %axes) {}\n" +
                 kResult);
    }
  }
}

TEST(SliceTest, OuterPartIsAView) {
  ExpectSteps(Computed("%a", "6,4") + List("%begin", 1, "2") +
                  List("%end", 1, "5") + List("%step", 1, "1") +
                  "%y = Slice-8(%a, %begin, %end, %step) {}\n" + kLogResult,
              "Exp, Log");
}

TEST(StridedSliceTest, NewAndMissingAxes) {
  ExpectSame(Convolved("%a", 1, 24) + List("%begin", 4, "0, 0, 1, 2") +
             List("%end", 4, "0, 1, 5, 7") + List("%step", 4, "1, 1, 2, 1") +
             "%y = StridedSlice-1(%a, %begin, %end, %step) {begin_mask: "
             "[1,0,0,0], end_mask: [1,0,0,0], new_axis_mask: [], "
             "shrink_axis_mask: [0,1,0,0], ellipsis_mask: []}\n" +
             kResult);
}

TEST(GatherTest, OneIndexIsASlice) {
  for (const std::string index : {"i64[] {2}", "i64[1] {1}", "i32[] {-1}"}) {
    for (const std::string axis : {"0", "1", "2"}) {
      ExpectSame(Computed("%a", "3,4,5") + "%i = Constant-0() {value: " +
                 index + "}\n%axis = Constant-0() {value: i64[] {" + axis +
                 "}}\n%y = Gather-8(%a, %i, %axis) {batch_dims: 0}\n" +
                 kResult);
    }
  }
}

TEST(TransposeTest, MovesOfOnesAreViews) {
  ExpectSteps(Computed("%a", "1,6,4") + List("%o", 3, "1, 0, 2") +
                  "%y = Transpose-1(%a, %o) {}\n" + kLogResult,
              "Exp, Log");
}

TEST(TransposeTest, AnyOrderAndType) {
  for (const std::string order :
       {"0, 2, 1, 3", "3, 2, 1, 0", "0, 2, 3, 1", "0, 3, 1, 2", "1, 0, 3, 2"}) {
    for (const std::string type : {"f32", "u8", "i64"}) {
      ExpectSame(Parameter("%a", "2,17,9,20", type) + List("%o", 4, order) +
                 "%y = Transpose-1(%a, %o) {}\n" + kResult);
    }
    ExpectSame(Convolved("%a", 2, 20) + List("%o", 4, order) +
               "%y = Transpose-1(%a, %o) {}\n" + kLogResult);
  }
}

TEST(TransposeTest, ThereAndBackIsAView) {
  ExpectSteps(Computed("%a", "2,6,4,5") + List("%o", 4, "0, 3, 1, 2") +
                  List("%p", 4, "0, 2, 3, 1") +
                  "%b = Transpose-1(%a, %o) {}\n"
                  "%y = Transpose-1(%b, %p) {}\n" +
                  kLogResult,
              "Exp, Log");
}

TEST(RearrangementTest, AnyLayout) {
  for (const std::string op :
       {"DepthToSpace-0(%a) {block_size: 2, mode: blocks_first}",
        "DepthToSpace-0(%a) {block_size: 2, mode: depth_first}",
        "SpaceToDepth-0(%a) {block_size: 2, mode: blocks_first}",
        "SpaceToDepth-0(%a) {block_size: 2, mode: depth_first}",
        "ShuffleChannels-0(%a) {axis: 1, group: 4}",
        "Broadcast-3(%a, %shape) {mode: bidirectional}",
        "Tile-0(%a, %repeats) {}"}) {
    for (const int channels : {8, 12}) {
      ExpectSame(Convolved("%a", 2, channels) +
                 List("%shape", 5, "3, 1, 1, 1, 8") +
                 List("%repeats", 3, "2, 1, 3") + "%y = " + op + "\n" +
                 kResult);
    }
  }
}

// A unit of ShuffleNet: what two convolutions make is joined and shuffled; one
// half is read by another convolution, the other is joined once more.
TEST(ChannelsTest, MovesTogether) {
  const std::string unit =
      Convolved("%a", 2, 12) + Convolved("%b", 2, 12) +
      "%c = Concat-0(%a, %b) {axis: 1}\n"
      "%d = ShuffleChannels-0(%c) {axis: 1, group: 2}\n"
      "%axis = Constant-0() {value: i64 {1}}\n"
      "%p = Split-1(%d, %axis) {num_splits: 2}\n"
      "%e = Exp-0(%p:1) {}\n"
      "%y = Concat-0(%p, %e) {axis: 1}\n";
  ExpectSame(unit + kLogResult);
  EXPECT_EQ(Compare(unit + kLogResult).steps.find("copy"), std::string::npos);
  // One type for all, whatever they are stored as.
  ExpectSame(unit + "%z = Convert-0(%y) {destination_type: f16}\n" +
             "%q = ShuffleChannels-0(%z) {axis: 1, group: 3}\n" +
             "%r = Result-0(%q) {}\n");
}

TEST(ChannelsTest, ResultsAndPartsOfOtherLayouts) {
  ExpectSame(Convolved("%a", 1, 5) + Parameter("%b", "1,3,6,8") +
             Computed("%e", "1,4,6,8") +
             "%y = Concat-0(%b, %a, %e) {axis: 1}\n" + kResult);
}

TEST(PadTest, ModesAndLayouts) {
  for (const std::string mode : {"constant", "edge", "reflect", "symmetric"}) {
    for (const int channels : {16, 5}) {
      for (const std::string begin : {"0, 0, 1, 2", "1, 2, 0, 3"}) {
        if (mode != "constant" && begin[0] == '1') continue;
        ExpectSame(Convolved("%a", 2, channels) + List("%begin", 4, begin) +
                   List("%end", 4, "0, 0, 3, 1") +
                   "%v = Constant-0() {value: f32[] {0.5}}\n"
                   "%y = Pad-12(%a, %begin, %end, %v) {pad_mode: " +
                   mode + "}\n" + kResult);
      }
    }
  }
}

// Less than none cuts elements off.
TEST(PadTest, Negative) {
  for (const std::string begin :
       {"0, 0, -1, -1", "0, -3, 2, -2", "-1, 0, 0, 1"}) {
    for (const std::string end : {"0, 0, 1, 1", "0, 0, -1, -1", "0, -2, 0, 2"}) {
      for (const int channels : {16, 11}) {
        const Compared compared = Compare(
            Convolved("%a", 2, channels) + List("%begin", 4, begin) +
            List("%end", 4, end) +
            "%v = Constant-0() {value: f32[] {0.5}}\n"
            "%y = Pad-12(%a, %begin, %end, %v) {pad_mode: constant}\n" +
            kResult);
        EXPECT_LT(compared.error, 2e-5) << compared.message;
        EXPECT_EQ(compared.KernelOf("Pad"), "copy") << begin << " " << end;
      }
    }
  }
}

TEST(RollTest, SeveralAxes) {
  for (const std::string axes : {"2, 3", "1, 1", "0, -2"}) {
    for (const int channels : {16, 5}) {
      ExpectSame(Convolved("%a", 2, channels) + List("%shift", 2, "-3, 9") +
                 List("%axes", 2, axes) + "%y = Roll-7(%a, %shift, %axes) {}\n" +
                 kResult);
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
