#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// As many steps as an input says, or all.
void AddFirstSteps(NetworkWriter& writer, const Value& value) {
  const std::vector<Shape> ones(NetworkWriter::kVariants, Shape{1});
  const std::string end = writer.Input("i64", ones);
  const std::string part =
      writer.Node("Slice-8", {value.name, writer.Integers({0}), end,
                              writer.Integers({1}), writer.Integers({1})});
  writer.Keep({part, Kind::kSequence, value.channels, writer.NewExtents()});
}

// The rows of a table that an input marks, repeated for the whole batch.
void AddMarked(NetworkWriter& writer, const Value& value) {
  constexpr int64_t kRows = 7;
  const std::vector<Shape> rows(NetworkWriter::kVariants, Shape{kRows});
  const std::string marks = writer.Node(
      "Greater-1", {writer.Input("i32", rows),
                    writer.Node("Constant-0", {}, "value: i32[] {2}")});
  const std::string found =
      writer.Node("NonZero-3", {marks}, "output_type: i64");
  const std::string indices =
      writer.Node("Squeeze-0", {found, writer.Integers({0})});
  const std::string table = writer.Weights({kRows, value.channels});
  const std::string chosen = writer.Node(
      "Gather-8", {table, indices, writer.Integer(0)}, "batch_dims: 0");
  const std::string shape = writer.Node(
      "Concat-0",
      {writer.ExtentsOf(value.name, {0}), writer.ExtentsOf(chosen, {0, 1})},
      "axis: 0");
  writer.Keep({writer.Node("Broadcast-3", {chosen, shape}, "mode: numpy"),
               Kind::kSequence, value.channels, writer.NewExtents()});
}

}  // namespace

void AddDataShape(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value) return;
  if (writer.OneIn(2)) return AddFirstSteps(writer, *value);
  AddMarked(writer, *value);
}

}  // namespace dovetail::random_networks
