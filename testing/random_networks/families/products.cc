#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

std::string ToFloats(NetworkWriter& writer, const std::string& value) {
  return writer.Node("Convert-0", {value}, "destination_type: f32");
}

// For products of the size of others.
double LargestScale(const std::string& type) {
  if (type == "nf4") return 0.3;
  if (type == "u2" || type == "i2") return 0.2;
  return type == "u8" || type == "i8" ? 0.002 : 0.05;
}

// [outputs, inputs] of codes, less zero points, times scales; of whole rows or
// of groups of 4.
std::string Codes(NetworkWriter& writer, int64_t outputs, int64_t inputs) {
  const std::string type =
      writer.OneOf({"u8", "i8", "u4", "i4", "u2", "i2", "nf4", "f4e2m1"});
  const bool groups = writer.OneIn(2);
  const Shape codes =
      groups ? Shape{outputs, inputs / 4, 4} : Shape{outputs, inputs};
  const Shape scales =
      groups ? Shape{outputs, inputs / 4, 1} : Shape{outputs, 1};
  std::string value = ToFloats(writer, writer.Weights(codes, type));
  if (writer.OneIn(2)) {
    const std::string zeros = ToFloats(writer, writer.Weights(scales, type));
    value = writer.Node("Subtract-1", {value, zeros});
  }
  value = writer.Node("Multiply-1",
                      {value, writer.Floats(scales, LargestScale(type))});
  if (!groups) return value;
  return writer.Node("Reshape-1", {value, writer.Integers({outputs, inputs})},
                     "special_zero: false");
}

std::string Matrix(NetworkWriter& writer, int64_t outputs, int64_t inputs) {
  switch (writer.From(0, 3)) {
    case 0:
      return ToFloats(writer, writer.Weights({outputs, inputs}, "f16"));
    case 1:
      return Codes(writer, outputs, inputs);
    default:
      return writer.Weights({outputs, inputs});
  }
}

void AddWeighted(NetworkWriter& writer, const Value& value) {
  const int64_t channels = writer.From(1, 8) * 4;
  std::string product = writer.Node(
      "MatMul-0", {value.name, Matrix(writer, channels, value.channels)},
      "transpose_b: true");
  if (writer.OneIn(2)) {
    product = writer.Node("Add-1", {product, writer.Floats({channels}, 0.5)});
  }
  Value result{product, Kind::kSequence, channels, value.extents};
  if (writer.OneIn(3)) {
    result.name = writer.Node("Add-1", {product, writer.PickLike(result).name});
  }
  if (writer.OneIn(2)) result.name = Activation(writer, result.name);
  writer.Keep(result);
}

// Of two values: how steps go with each other, applied to one of them.
void AddOfValues(NetworkWriter& writer, const Value& value) {
  const std::string other = writer.PickLike(value).name;
  std::string scores =
      writer.Node("MatMul-0", {value.name, other}, "transpose_b: true");
  scores = writer.Node("Tanh-0", {scores});
  writer.Keep(value, writer.Node("MatMul-0", {scores, other}));
}

}  // namespace

void AddProduct(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value) return;
  if (value->channels % 4 != 0 || writer.OneIn(5)) {
    return AddOfValues(writer, *value);
  }
  AddWeighted(writer, *value);
}

}  // namespace dovetail::random_networks
