#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

void AddConcatenation(NetworkWriter& writer, const Value& value) {
  std::vector<std::string> parts;
  for (int left = writer.From(2, 3); left > 0; --left) {
    parts.push_back(writer.PickLike(value).name);
  }
  const auto count = static_cast<int64_t>(parts.size());
  writer.Keep({writer.Node("Concat-0", parts, "axis: 1"), Kind::kImage,
               value.channels * count, value.extents});
}

// Two halves, or a third of the channels and what is left.
void AddSplit(NetworkWriter& writer, const Value& value) {
  if (value.channels < 3) return;
  const std::string axis = writer.Integer(1);
  if (value.channels % 2 == 0 && writer.OneIn(2)) {
    const std::string halves =
        writer.Node("Split-1", {value.name, axis}, "num_splits: 2");
    writer.Keep({halves, Kind::kImage, value.channels / 2, value.extents});
    writer.Keep(
        {halves + ":1", Kind::kImage, value.channels / 2, value.extents});
    return;
  }
  const int64_t third = value.channels / 3;
  const std::string parts = writer.Node(
      "VariadicSplit-1", {value.name, axis, writer.Integers({third, -1})});
  writer.Keep({parts, Kind::kImage, third, value.extents});
  writer.Keep(
      {parts + ":1", Kind::kImage, value.channels - third, value.extents});
}

// Mean of each channel, two small products, and a gate for each channel.
void AddSqueeze(NetworkWriter& writer, const Value& value) {
  const std::string mean =
      writer.Node(writer.OneOf({"ReduceMean-1", "ReduceMax-1"}),
                  {value.name, writer.Integers({2, 3})}, "keep_dims: true");
  const int64_t few = 1 + value.channels / 4;
  const std::string none =
      "strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0]";
  std::string gate =
      writer.Node("Convolution-1",
                  {mean, writer.Weights({few, value.channels, 1, 1})}, none);
  gate = writer.Node("Relu-0", {gate});
  gate = writer.Node("Convolution-1",
                     {gate, writer.Weights({value.channels, few, 1, 1})}, none);
  gate = writer.Node("Sigmoid-0", {gate});
  writer.Keep(value, writer.Node("Multiply-1", {value.name, gate}));
}

void AddExchange(NetworkWriter& writer, const Value& value) {
  if (value.channels % 4 != 0) return;
  if (writer.OneIn(2)) {
    return writer.Keep(value, writer.Node("ShuffleChannels-0", {value.name},
                                          "axis: 1, group: 2"));
  }
  if (!writer.MayGrow()) return;
  const std::string attributes = absl::StrCat(
      "block_size: 2, mode: ", writer.OneOf({"blocks_first", "depth_first"}));
  writer.Keep({writer.Node("DepthToSpace-0", {value.name}, attributes),
               Kind::kImage, value.channels / 4,
               writer.ExtentsAfter(value.extents, "doubled")});
}

// There and back, with something between.
void AddChannelsLast(NetworkWriter& writer, const Value& value) {
  std::string name =
      writer.Node("Transpose-1", {value.name, writer.Integers({0, 2, 3, 1})});
  name = writer.Node("Multiply-1", {name, writer.Floats({value.channels}, 1)});
  name = Activation(writer, name);
  writer.Keep(
      value, writer.Node("Transpose-1", {name, writer.Integers({0, 3, 1, 2})}));
}

void AddSlice(NetworkWriter& writer, const Value& value) {
  if (value.channels < 2) return;
  const int64_t begin = writer.From(0, static_cast<int>(value.channels) - 1);
  const int64_t step = writer.From(1, 2);
  const std::string part =
      writer.Node("Slice-8", {value.name, writer.Integers({begin}),
                              writer.Integers({value.channels}),
                              writer.Integers({step}), writer.Integers({1})});
  writer.Keep({part, Kind::kImage, (value.channels - begin + step - 1) / step,
               value.extents});
}

}  // namespace

void AddChannels(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kImage);
  if (!value || value->channels > 64) return;
  switch (writer.From(0, 6)) {
    case 0:
      return AddSqueeze(writer, *value);
    case 1:
      return AddExchange(writer, *value);
    case 2:
      return AddSplit(writer, *value);
    case 3:
      return AddChannelsLast(writer, *value);
    case 4:
      return AddSlice(writer, *value);
    default:
      return AddConcatenation(writer, *value);
  }
}

}  // namespace dovetail::random_networks
