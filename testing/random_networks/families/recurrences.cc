#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

struct Cell {
  const char* type;
  int gates, states;
};
constexpr Cell kCells[] = {
    {"LSTMSequence-5", 4, 2}, {"GRUSequence-5", 3, 1}, {"RNNSequence-5", 1, 1}};

// `count` zeros or so: a state of [batch, directions, size].
std::string State(NetworkWriter& writer, const std::string& sequence,
                  int64_t directions, int64_t size) {
  const std::string shape = writer.Node(
      "Concat-0",
      {writer.ExtentsOf(sequence, {0}), writer.Integers({directions, size})},
      "axis: 0");
  return writer.Node("Broadcast-3",
                     {writer.Scalar(writer.From(-3, 3) * 0.1), shape},
                     "mode: numpy");
}

// All steps of every row of the batch.
std::string Lengths(NetworkWriter& writer, const std::string& sequence) {
  const std::string all = writer.Node(
      "Broadcast-3",
      {writer.ExtentsOf(sequence, {1}), writer.ExtentsOf(sequence, {0})},
      "mode: numpy");
  return writer.Node("Convert-0", {all}, "destination_type: i32");
}

}  // namespace

void AddRecurrence(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value) return;
  const Cell& cell = kCells[writer.From(0, 2)];
  const int64_t size = writer.From(1, 5) * 2;
  const std::string direction =
      writer.OneOf({"forward", "reverse", "bidirectional"});
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  std::vector<std::string> inputs = {value->name};
  for (int i = 0; i < cell.states; ++i) {
    inputs.push_back(State(writer, value->name, directions, size));
  }
  inputs.push_back(Lengths(writer, value->name));
  const int64_t rows = cell.gates * size;
  inputs.push_back(writer.Weights({directions, rows, value->channels}));
  inputs.push_back(writer.Weights({directions, rows, size}));
  inputs.push_back(writer.Weights({directions, rows}));
  const std::string outputs = writer.Node(
      cell.type, inputs,
      absl::StrCat("hidden_size: ", size, ", direction: ", direction));
  // [batch, directions, steps, size] as a sequence.
  const std::string steps =
      writer.Node("Transpose-1", {outputs, writer.Integers({0, 2, 1, 3})});
  const int64_t channels = directions * size;
  writer.Keep(
      {writer.Node("Reshape-1", {steps, writer.Integers({0, 0, channels})},
                   "special_zero: true"),
       Kind::kSequence, channels, value->extents});
}

}  // namespace dovetail::random_networks
