#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::StartsWith;

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

std::string List(const std::string& id, int count, const std::string& numbers) {
  return absl::StrCat(id, " = Constant-0() {value: i64[", count, "] {", numbers,
                      "}}\n");
}

std::string Scalar(const std::string& id, int64_t number) {
  return absl::StrCat(id, " = Constant-0() {value: i64[] {", number, "}}\n");
}

constexpr char kResult[] = "%r = Result-0(%y) {}\n";

// Elements a work item has side by side.
class MovementTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }
  // The kernels of a model whose result is %y.
  std::string Kernels(const std::string& model) const {
    return KernelsIfRight(model + kResult, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, MovementTest, testing::Values(16, 4, 1));

TEST_P(MovementTest, Transposes) {
  const auto transpose = [&](const std::string& shape, int rank,
                             const std::string& order,
                             const std::string& type) {
    return Kernels(Parameter("%x", shape, type) + List("%o", rank, order) +
                   "%y = Transpose-1(%x, %o) {}\n");
  };
  const bool has_squares = GetParam() > 1;
  EXPECT_EQ(transpose("37,50", 2, "1,0", "f32"),
            has_squares ? "transpose_f32" : "copy_strided_f32");
  EXPECT_EQ(transpose("2,32,5,17", 4, "0,2,3,1", "u8"),
            has_squares ? "transpose_u8" : "copy_strided_u8");
  EXPECT_EQ(transpose("2,3,5,270", 4, "1,2,0,3", "i64"), "copy_rows_i64");
  EXPECT_EQ(transpose("3,2,2,2,3,4", 6, "5,1,3,4,2,0", "f16"),
            GetParam() == 4 ? "transpose_f16" : "copy_strided_f16");
  // Nothing but an axis of extent 1 moves.
  EXPECT_EQ(transpose("4,1,6", 3, "1,0,2", "f32"), "copy");
}

TEST_P(MovementTest, SelectsAndRepeats) {
  const std::string x = Parameter("%x", "2,6,5,19");
  EXPECT_EQ(Kernels(x + List("%b", 2, "5,-2") + List("%e", 2, "0,-100") +
                    List("%s", 2, "-2,-3") + List("%a", 2, "1,3") +
                    "%y = Slice-8(%x, %b, %e, %s, %a) {}\n"),
            "copy_strided_f32");
  EXPECT_EQ(
      Kernels(x + List("%b", 1, "1") + List("%e", 1, "4") + List("%s", 1, "1") +
              List("%a", 1, "2") + "%y = Slice-8(%x, %b, %e, %s, %a) {}\n"),
      "copy_rows_f32");
  EXPECT_EQ(Kernels(Parameter("%x", "2,1,5,1") + List("%t", 4, "2,3,5,40") +
                    "%y = Broadcast-3(%x, %t) {mode: numpy}\n"),
            "copy_repeated_f32");
  EXPECT_EQ(Kernels(x + List("%n", 4, "1,3,1,2") + "%y = Tile-0(%x, %n) {}\n"),
            "copy_rows_f32");
  EXPECT_EQ(Kernels(x + List("%a", 2, "0,-1") +
                    "%y = Reverse-1(%x, %a) {mode: index}\n"),
            "copy_strided_f32");
}

TEST_P(MovementTest, TakesApartAndJoins) {
  const std::string roll = Scalar("%one", 1) + Parameter("%p", "1,6,5,4") +
                           "%x = Roll-7(%p, %one, %one) {}\n";
  // The parts lie in the whole.
  EXPECT_EQ(Kernels(roll + "%s = Split-1(%x, %one) {num_splits: 2}\n" +
                    "%y = Concat-0(%s:1, %s:0) {axis: 3}\n"),
            "roll_f32, copy_rows_f32, copy_rows_f32");
  EXPECT_EQ(Kernels(roll + Parameter("%q", "1,2,5,4") +
                    "%z = Roll-7(%q, %one, %one) {}\n" +
                    "%y = Concat-0(%x, %z) {axis: 1}\n"),
            "roll_f32, roll_f32");
  EXPECT_EQ(Kernels(Parameter("%a", "2,3,4") + Parameter("%b", "2,1,4") +
                    "%y = Concat-0(%a, %b, %a) {axis: 1}\n"),
            "copy_rows_f32, copy_rows_f32, copy_rows_f32");
}

// %x, as convolutions store it.
std::string Blocks(const std::string& id, const std::string& shape) {
  return Parameter(id + "in", shape) + id + " = Clamp-0(" + id +
         "in) {min: -100, max: 100}\n";
}

TEST_P(MovementTest, KeepsBlocksOfChannels) {
  const std::string rest = "%y = Exp-0(%z) {}\n";
  EXPECT_THAT(Kernels(Blocks("%a", "2,32,3,5") + Blocks("%b", "2,16,3,5") +
                      "%z = Concat-0(%a, %b) {axis: 1}\n" + rest),
              StartsWith("copy_rows_f32"));
  EXPECT_THAT(Kernels(Blocks("%a", "2,20,3,5") + Blocks("%b", "2,20,1,5") +
                      "%z = Concat-0(%a, %b) {axis: 2}\n" + rest),
              StartsWith("copy_rows_f32"));
  EXPECT_THAT(Kernels(Blocks("%a", "2,20,3,5") + Blocks("%b", "2,12,3,5") +
                      "%z = Concat-0(%a, %b) {axis: 1}\n" + rest),
              StartsWith("copy_rows_f32"));
  for (const int axis : {1, 3}) {
    EXPECT_THAT(
        Kernels(Blocks("%x", "2,48,3,6") + Scalar("%a", axis) +
                "%s = Split-1(%x, %a) {num_splits: 3}\n" +
                "%z = Add-1(%s:0, %s:2) {auto_broadcast: numpy}\n" + rest),
        StartsWith("copy_rows_f32"));
  }
  for (const char* mode : {"constant", "edge", "reflect", "symmetric"}) {
    for (const char* begin : {"0,0,2,1", "1,1,0,0"}) {
      const std::string pad = absl::StrCat(
          List("%b", 4, begin), List("%e", 4, "0,0,1,2"),
          "%z = Pad-12(%x, %b, %e) {pad_mode: ", mode, "}\n", rest);
      for (const char* shape : {"2,32,4,6", "2,20,4,6"}) {
        EXPECT_THAT(Kernels(Blocks("%x", shape) + pad),
                    StartsWith(absl::StrCat("pad_", mode)));
      }
    }
  }
}

TEST_P(MovementTest, TransposesBlocksOfChannels) {
  for (const char* shape : {"2,32,3,5", "2,20,3,5"}) {
    for (const char* order : {"0,2,3,1", "3,1,0,2"}) {
      const std::string kernels =
          Kernels(Blocks("%x", shape) + List("%o", 4, order) +
                  "%y = Transpose-1(%x, %o) {}\n");
      EXPECT_TRUE(absl::StartsWith(kernels, "copy_") ||
                  absl::StartsWith(kernels, "transpose_"))
          << kernels;
    }
  }
}

TEST_P(MovementTest, PadsInAllModes) {
  for (const char* mode : {"constant", "edge", "reflect", "symmetric"}) {
    const std::string pad =
        absl::StrCat("%v = Constant-0() {value: f32[] {7}}\n",
                     "%y = Pad-12(%x, %b, %e, %v) {pad_mode: ", mode, "}\n");
    const std::string kernel = absl::StrCat("pad_", mode, "_f32");
    EXPECT_EQ(Kernels(Parameter("%x", "2,5,6,20") + List("%b", 4, "0,3,0,2") +
                      List("%e", 4, "0,1,5,0") + pad),
              kernel);
    EXPECT_EQ(Kernels(Parameter("%x", "3,5,270") + List("%b", 3, "2,0,-4") +
                      List("%e", 3, "1,0,-1") + pad),
              kernel);
    EXPECT_EQ(Kernels(Parameter("%x", "6,5,4") + List("%b", 3, "2,-1,0") +
                      List("%e", 3, "1,0,0") + pad),
              kernel);
  }
  EXPECT_EQ(Kernels(Parameter("%x", "2,5,6,20", "i16") + List("%s", 2, "3,-1") +
                    List("%a", 2, "3,1") + "%y = Roll-7(%x, %s, %a) {}\n"),
            "roll_i16");
}

TEST_P(MovementTest, MovesBlocksAndSequences) {
  const std::string kernel =
      GetParam() == 4 ? "transpose_f32" : "copy_strided_f32";
  for (const char* mode : {"blocks_first", "depth_first"}) {
    const std::string attributes =
        absl::StrCat(" {block_size: 2, mode: ", mode, "}\n");
    EXPECT_EQ(Kernels(Parameter("%x", "2,12,3,5") + "%y = DepthToSpace-0(%x)" +
                      attributes),
              kernel);
    EXPECT_EQ(Kernels(Parameter("%x", "2,3,4,6") + "%y = SpaceToDepth-0(%x)" +
                      attributes),
              kernel);
  }
  EXPECT_EQ(Kernels(Parameter("%x", "2,12,3,5") +
                    "%y = ShuffleChannels-0(%x) {axis: 1, group: 3}\n"),
            "copy_rows_f32");
  EXPECT_EQ(Kernels(Parameter("%x", "3,8,4,5") + Parameter("%n", "4", "i32") +
                    "%y = ReverseSequence-0(%x, %n) {batch_axis: 2, "
                    "seq_axis: 1}\n"),
            "reverse_sequence_f32");
}

}  // namespace
}  // namespace dovetail::gpu
