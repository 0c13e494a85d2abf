#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

std::string FakeQuantize(NetworkWriter& writer, const std::string& value,
                         double low, double high) {
  const std::string from = writer.Scalar(low), to = writer.Scalar(high);
  return writer.Node("FakeQuantize-0", {value, from, to, from, to},
                     "levels: 256");
}

std::string Quantized(NetworkWriter& writer, const std::string& value) {
  return writer.OneIn(2) ? FakeQuantize(writer, Activation(writer, value), 0, 6)
                         : FakeQuantize(writer, value, -4, 4);
}

// i8 and a scale for each of the outputs, which are along the first axis.
std::string Weights(NetworkWriter& writer, const Shape& shape) {
  const std::string codes = writer.Node(
      "Convert-0", {writer.Weights(shape, "i8")}, "destination_type: f32");
  if (writer.OneIn(2)) {
    return writer.Node("Multiply-1", {codes, writer.Scalar(0.002)});
  }
  Shape scales;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    scales.push_back(axis == 0 ? shape[0] : 1);
  }
  return writer.Node("Multiply-1", {codes, writer.Floats(scales, 0.004)});
}

void AddConvolution(NetworkWriter& writer, const Value& value) {
  const bool grouped = writer.OneIn(3);
  const int64_t channels = grouped ? value.channels : writer.From(1, 6) * 8;
  const int64_t size = writer.OneIn(2) ? 3 : 1;
  const std::string pad = size == 3 ? "[1,1]" : "[0,0]";
  const std::string weights =
      Weights(writer, grouped ? Shape{channels, 1, 1, size, size}
                              : Shape{channels, value.channels, size, size});
  Value sum{writer.Node(grouped ? "GroupConvolution-1" : "Convolution-1",
                        {Quantized(writer, value.name), weights},
                        absl::StrCat("strides: [1,1], dilations: [1,1], ",
                                     "pads_begin: ", pad, ", pads_end: ", pad)),
            Kind::kImage, channels, value.extents};
  if (writer.OneIn(2)) {
    sum.name =
        writer.Node("Add-1", {sum.name, writer.Weights({1, channels, 1, 1})});
  }
  if (writer.OneIn(3)) {
    // A residual, quantized beforehand.
    sum.name = writer.Node(
        "Add-1", {sum.name, Quantized(writer, writer.PickLike(sum).name)});
  }
  if (writer.OneIn(2)) sum.name = Quantized(writer, sum.name);
  writer.Keep(sum);
}

void AddMatrix(NetworkWriter& writer, const Value& value) {
  const int64_t channels = writer.From(1, 6) * 4;
  const std::string product =
      writer.Node("MatMul-0",
                  {Quantized(writer, value.name),
                   Weights(writer, {channels, value.channels})},
                  "transpose_b: true");
  writer.Keep({writer.OneIn(2) ? Quantized(writer, product) : product,
               Kind::kSequence, channels, value.extents});
}

}  // namespace

void AddQuantized(NetworkWriter& writer) {
  const auto value =
      writer.Pick(writer.OneIn(4) ? Kind::kSequence : Kind::kImage);
  if (!value) return;
  if (value->kind == Kind::kSequence) return AddMatrix(writer, *value);
  AddConvolution(writer, *value);
}

}  // namespace dovetail::random_networks
