#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// A constant that is broadcast: one number, or one a channel.
std::string Operand(NetworkWriter& writer, const Value& value) {
  if (writer.OneIn(2)) return writer.Scalar(writer.From(-20, 20) * 0.1);
  const Shape shape = value.kind == Kind::kImage
                          ? Shape{1, value.channels, 1, 1}
                          : Shape{value.channels};
  return writer.Floats(shape, 1.5);
}

// Values that are not positive keep a part of themselves: no jump, whatever
// side of zero a rounding falls to.
std::string Choice(NetworkWriter& writer, const std::string& value) {
  const std::string small =
      writer.Node("Multiply-1", {value, writer.Scalar(0.25)});
  const std::string is_positive =
      writer.Node("Greater-1", {value, writer.Scalar(0)});
  return writer.Node("Select-1", {is_positive, value, small});
}

std::string Quotient(NetworkWriter& writer, const std::string& value,
                     const std::string& other) {
  const std::string magnitude = writer.Node("Abs-0", {other});
  const std::string divisor =
      writer.Node("Add-1", {magnitude, writer.Scalar(1.5)});
  return writer.Node("Divide-1", {value, divisor});
}

std::string OfTwo(NetworkWriter& writer, const Value& value) {
  const std::string other =
      writer.OneIn(2) ? Operand(writer, value) : writer.PickLike(value).name;
  switch (writer.From(0, 5)) {
    case 0:
      return Quotient(writer, value.name, other);
    case 1:
      return Choice(writer, value.name);
    case 2: {
      // Bounded, so that chains of products do not run away.
      const std::string gate = writer.Node("Sigmoid-0", {other});
      return writer.Node("Multiply-1", {value.name, gate});
    }
    default:
      return writer.Node(
          writer.OneOf({"Add-1", "Subtract-1", "Maximum-1", "Minimum-1"}),
          {value.name, other});
  }
}

}  // namespace

std::string Activation(NetworkWriter& writer, const std::string& value) {
  switch (writer.From(0, 6)) {
    case 0:
      return writer.Node("Elu-0", {value}, "alpha: 0.7");
    case 1:
      return writer.Node("Clamp-0", {value}, "min: -1.5, max: 6");
    case 2:
      return writer.Node("Gelu-7", {value}, "approximation_mode: erf");
    default:
      return writer.Node(
          writer.OneOf({"Relu-0", "Relu-0", "Sigmoid-0", "Tanh-0", "HSwish-4",
                        "Abs-0", "SoftPlus-4", "Swish-4", "Mish-4", "Erf-0",
                        "Negative-0", "HSigmoid-5", "SoftSign-9"}),
          {value});
  }
}

void AddElementwise(NetworkWriter& writer) {
  const auto value =
      writer.Pick(writer.OneIn(2) ? Kind::kImage : Kind::kSequence);
  if (!value) return;
  Value last = *value;
  for (int left = writer.From(1, 4); left > 0; --left) {
    last.name =
        writer.OneIn(2) ? OfTwo(writer, last) : Activation(writer, last.name);
    // Read by what follows in this chain, and by others.
    if (left > 1 && writer.OneIn(4)) writer.Keep(last);
  }
  writer.Keep(last);
}

}  // namespace dovetail::random_networks
