#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// A square window that leaves rows and columns as they are, or halves them
// (rounded up).
struct Window {
  int size, stride, dilation;

  int pad() const { return (size - 1) * dilation / 2; }
  std::string ToString() const {
    return absl::StrCat("strides: [", stride, ",", stride, "], dilations: [",
                        dilation, ",", dilation, "], pads_begin: [", pad(), ",",
                        pad(), "], pads_end: [", pad(), ",", pad(), "]");
  }
};

Window RandomWindow(NetworkWriter& writer) {
  const int size = writer.From(0, 2) * 2 + 1;
  return {size, writer.OneIn(4) ? 2 : 1, writer.OneIn(5) ? 2 : 1};
}

int After(NetworkWriter& writer, const Value& value, int stride) {
  return stride == 1 ? value.extents
                     : writer.ExtentsAfter(value.extents, "halved");
}

int64_t Channels(NetworkWriter& writer) {
  if (writer.OneIn(6)) return 64;
  return writer.OneIn(2) ? writer.From(1, 20) : writer.From(1, 4) * 8;
}

// Bias, a residual, an activation: what steps take in.
std::string Followers(NetworkWriter& writer, Value value) {
  if (writer.OneIn(2)) {
    const std::string bias = writer.Weights({1, value.channels, 1, 1});
    value.name = writer.Node("Add-1", {value.name, bias});
  }
  if (writer.OneIn(3)) {
    value.name =
        writer.Node("Add-1", {value.name, writer.PickLike(value).name});
  }
  return writer.OneIn(3) ? value.name : Activation(writer, value.name);
}

void KeepWith(NetworkWriter& writer, Value value) {
  value.name = Followers(writer, value);
  writer.Keep(value);
}

std::string FloatWeights(NetworkWriter& writer, const Shape& shape) {
  if (!writer.OneIn(4)) return writer.Weights(shape);
  const std::string half = writer.Weights(shape, "f16");
  return writer.Node("Convert-0", {half}, "destination_type: f32");
}

void AddDense(NetworkWriter& writer, const Value& value) {
  const Window window = RandomWindow(writer);
  const int64_t channels = Channels(writer);
  const std::string weights = FloatWeights(
      writer, {channels, value.channels, window.size, window.size});
  KeepWith(
      writer,
      {writer.Node("Convolution-1", {value.name, weights}, window.ToString()),
       Kind::kImage, channels, After(writer, value, window.stride)});
}

void AddGrouped(NetworkWriter& writer, const Value& value) {
  const Window window = RandomWindow(writer);
  const bool halves = value.channels % 2 == 0 && writer.OneIn(2);
  const int64_t groups = halves ? 2 : value.channels;
  const int64_t inputs = value.channels / groups;
  const int64_t outputs = halves ? writer.From(1, 8) : writer.OneIn(4) ? 2 : 1;
  const std::string weights =
      FloatWeights(writer, {groups, outputs, inputs, window.size, window.size});
  KeepWith(writer, {writer.Node("GroupConvolution-1", {value.name, weights},
                                window.ToString()),
                    Kind::kImage, groups * outputs,
                    After(writer, value, window.stride)});
}

// Twice as many rows and columns.
void AddTransposed(NetworkWriter& writer, const Value& value) {
  const int64_t channels = Channels(writer);
  const std::string weights = writer.Weights({value.channels, channels, 2, 2});
  KeepWith(
      writer,
      {writer.Node("ConvolutionBackpropData-1", {value.name, weights},
                   "strides: [2,2], dilations: [1,1], pads_begin: [0,0], "
                   "pads_end: [0,0]"),
       Kind::kImage, channels, writer.ExtentsAfter(value.extents, "doubled")});
}

void AddPooling(NetworkWriter& writer, const Value& value) {
  Window window = RandomWindow(writer);
  window.dilation = 1;
  const std::string attributes = absl::StrCat(
      "strides: [", window.stride, ",", window.stride, "], pads_begin: [",
      window.pad(), ",", window.pad(), "], pads_end: [", window.pad(), ",",
      window.pad(), "], kernel: [", window.size, ",", window.size,
      "], rounding_type: floor");
  const std::string pooled =
      writer.OneIn(2)
          ? writer.Node("MaxPool-1", {value.name}, attributes)
          : writer.Node("AvgPool-1", {value.name},
                        absl::StrCat(attributes, ", exclude-pad: ",
                                     writer.OneIn(2) ? "true" : "false"));
  writer.Keep({pooled, Kind::kImage, value.channels,
               After(writer, value, window.stride)});
}

void AddResize(NetworkWriter& writer, const Value& value) {
  const std::string mode = writer.OneOf({"nearest", "linear_onnx", "linear"});
  const std::string scales =
      writer.Node("Constant-0", {}, "value: f32[2] {2, 2}");
  const std::string resized = writer.Node(
      "Interpolate-11", {value.name, scales, writer.Integers({2, 3})},
      absl::StrCat("mode: ", mode, ", shape_calculation_mode: scales, ",
                   "coordinate_transformation_mode: half_pixel"));
  writer.Keep({resized, Kind::kImage, value.channels,
               writer.ExtentsAfter(value.extents, "doubled")});
}

}  // namespace

void AddWindow(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kImage);
  if (!value) return;
  switch (writer.From(0, 9)) {
    case 0:
      return AddPooling(writer, *value);
    case 1:
      if (!writer.MayGrow()) return;
      return writer.OneIn(2) ? AddResize(writer, *value)
                             : AddTransposed(writer, *value);
    case 2:
    case 3:
    case 4:
      return AddGrouped(writer, *value);
    default:
      return AddDense(writer, *value);
  }
}

}  // namespace dovetail::random_networks
