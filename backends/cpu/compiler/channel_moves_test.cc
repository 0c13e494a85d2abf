#include "dovetail/backends/cpu/compiler/channel_moves.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// A convolution to so many channels.
std::string Convolved(const std::string& id, int channels) {
  return absl::StrCat(
      id, "w = Parameter-0() {shape: [", channels,
      ",8,1,1], element_type: f32}\n", id, " = Convolution-1(%x, ", id,
      "w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: "
      "[0,0], auto_pad: explicit}  # ",
      id.substr(1), "\n");
}

constexpr char kInput[] =
    "%x = Parameter-0() {shape: [1,8,5,5], element_type: f32}\n";
constexpr char kResult[] = "%s = Relu-0(%y) {}\n%r = Result-0(%s) {}\n";

// Of all values that moves make for others: the node, then each channel's
// source.
std::string Moved(const std::string& text, int64_t block = 8) {
  const absl::StatusOr<Model> model = ParseModelText(text);
  if (!model.ok()) return model.status().ToString();
  const std::vector<Node*> order = *model->TopologicalOrder();
  const ChannelMoves moves(order, block);
  std::string list;
  for (Node* node : order) {
    if (!moves.Has(*node)) continue;
    for (int i = 0; i < node->output_count(); ++i) {
      if (!moves.IsReadByOthers({node, i})) continue;
      absl::StrAppend(&list, node->op().type, ":");
      for (const MovedChannel& channel : moves.ChannelsOf({node, i})) {
        absl::StrAppend(&list, " ", channel.value.node->name(),
                        channel.channel);
      }
      absl::StrAppend(&list, "\n");
    }
  }
  return list;
}

TEST(ChannelMovesTest, PartsThatDoNotFillBlocks) {
  EXPECT_EQ(Moved(absl::StrCat(kInput, Convolved("%a", 3), Convolved("%b", 2),
                               "%y = Concat-0(%a, %b) {axis: 1}\n", kResult)),
            "Concat: a0 a1 a2 b0 b1\n");
}

TEST(ChannelMovesTest, WholeBlocksStayWhereTheyAre) {
  const std::string model =
      absl::StrCat(kInput, Convolved("%a", 8), Convolved("%b", 3),
                   "%y = Concat-0(%a, %b) {axis: 1}\n", kResult);
  EXPECT_EQ(Moved(model), "");
  EXPECT_NE(Moved(model, 16), "");
}

TEST(ChannelMovesTest, ShufflesAndSplitsOfWhatIsConcatenated) {
  EXPECT_EQ(
      Moved(absl::StrCat(kInput, Convolved("%a", 3), Convolved("%b", 3),
                         "%c = Concat-0(%a, %b) {axis: 1}\n"
                         "%d = ShuffleChannels-0(%c) {axis: 1, group: 2}\n"
                         "%axis = Constant-0() {value: i64 {1}}\n"
                         "%e = Split-1(%d, %axis) {num_splits: 2}\n"
                         "%y = Concat-0(%e:1, %a) {axis: -3}\n"
                         "%g = Relu-0(%e) {}\n%h = Result-0(%g) {}\n",
                         kResult)),
      "Split: a0 b0 a1\nConcat: b1 a2 b2 a0 a1 a2\n");
}

TEST(ChannelMovesTest, SlicesWithSteps) {
  EXPECT_EQ(Moved(absl::StrCat(kInput, Convolved("%a", 6),
                               "%one = Constant-0() {value: i64[1] {1}}\n"
                               "%two = Constant-0() {value: i64[1] {2}}\n"
                               "%six = Constant-0() {value: i64[1] {6}}\n"
                               "%y = Slice-8(%a, %one, %six, %two, %one) {}\n",
                               kResult)),
            "Slice: a1 a3 a5\n");
}

TEST(ChannelMovesTest, OtherAxesAndWhatNoConvolutionMakes) {
  EXPECT_EQ(Moved(absl::StrCat(kInput, Convolved("%a", 3),
                               "%y = Concat-0(%a, %a) {axis: 2}\n", kResult)),
            "");
  EXPECT_EQ(
      Moved(absl::StrCat(
          kInput, "%y = ShuffleChannels-0(%x) {axis: 1, group: 2}\n", kResult)),
      "");
}

}  // namespace
}  // namespace dovetail::cpu
