#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// Pixels become steps.
void AddFlattened(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kImage);
  if (!value || !writer.MayGrow()) return;
  const std::string last =
      writer.Node("Transpose-1", {value->name, writer.Integers({0, 2, 3, 1})});
  // [batch, rows * columns, channels], also of a batch of none.
  const std::string pixels = writer.Node(
      "ReduceProd-1", {writer.ExtentsOf(last, {1, 2}), writer.Integers({0})},
      "keep_dims: true");
  const std::string target = writer.Node(
      "Concat-0",
      {writer.ExtentsOf(last, {0}), pixels, writer.Integers({value->channels})},
      "axis: 0");
  writer.Keep({writer.Node("Reshape-1", {last, target}, "special_zero: false"),
               Kind::kSequence, value->channels,
               writer.ExtentsAfter(value->extents, "flattened")});
}

void AddConcatenation(NetworkWriter& writer, const Value& value) {
  if (!writer.MayGrow()) return;
  const Value other = writer.PickLike(value);
  writer.Keep({writer.Node("Concat-0", {value.name, other.name}, "axis: 1"),
               Kind::kSequence, value.channels,
               writer.ExtentsAfter(value.extents, "twice")});
}

void AddReordered(NetworkWriter& writer, const Value& value) {
  switch (writer.From(0, 2)) {
    case 0:
      return writer.Keep(
          value, writer.Node("Roll-7", {value.name, writer.Integers({1}),
                                        writer.Integers({1})}));
    case 1:
      return writer.Keep(
          value, writer.Node("CumSum-0", {value.name, writer.Integer(1)},
                             "exclusive: false, reverse: true"));
    default: {
      // Channels against steps, and back again.
      const std::string order = writer.Integers({0, 2, 1});
      std::string moved = writer.Node("Transpose-1", {value.name, order});
      moved = Activation(writer, moved);
      writer.Keep(value, writer.Node("Transpose-1", {moved, order}));
    }
  }
}

// The last step, or every step but the first.
void AddSlice(NetworkWriter& writer, const Value& value) {
  const std::string last = writer.Node(
      "Slice-8", {value.name, writer.Integers({-1}), writer.Integers({1 << 20}),
                  writer.Integers({1}), writer.Integers({1})});
  writer.Keep({last, Kind::kSequence, value.channels,
               writer.ExtentsAfter(value.extents, "last")});
}

}  // namespace

void AddMovement(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value || writer.OneIn(3)) return AddFlattened(writer);
  switch (writer.From(0, 2)) {
    case 0:
      return AddConcatenation(writer, *value);
    case 1:
      return AddSlice(writer, *value);
    default:
      return AddReordered(writer, *value);
  }
}

}  // namespace dovetail::random_networks
