#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// Attributes of a new variable of [batch, steps, channels].
std::string NewVariable(const std::string& start, int64_t channels) {
  // Names of nodes are unlike each other, and so are names of variables.
  return absl::StrCat("variable_id: \"", start.substr(1),
                      "\", variable_type: f32, variable_shape: [?,?,", channels,
                      "]");
}

std::string Assigned(const std::string& start) {
  return absl::StrCat("variable_id: \"", start.substr(1), "\"");
}

// What was there before and what is new, mixed.
void AddMemory(NetworkWriter& writer, const Value& value) {
  const std::string start =
      writer.Node("Multiply-1", {value.name, writer.Scalar(0.5)});
  const std::string before =
      writer.Node("ReadValue-6", {start}, NewVariable(start, value.channels));
  std::string next = writer.Node("Add-1", {before, value.name});
  next = writer.Node("Tanh-0", {next});
  writer.Node("Assign-6", {next}, Assigned(start));
  // Who reads it sees what was before, or what is now.
  writer.Keep(value, writer.OneIn(2) ? before : next);
}

// Steps that are kept, as keys and values of a decoder.
void AddGrowth(NetworkWriter& writer, const Value& value) {
  const std::string shape = writer.Node(
      "Concat-0",
      {writer.ExtentsOf(value.name, {0}), writer.Integers({0, value.channels})},
      "axis: 0");
  const std::string start =
      writer.Node("Broadcast-3", {writer.Scalar(0), shape}, "mode: numpy");
  const std::string before =
      writer.Node("ReadValue-6", {start}, NewVariable(start, value.channels));
  const std::string all =
      writer.Node("Concat-0", {before, value.name}, "axis: 1");
  writer.Node("Assign-6", {all}, Assigned(start));
  writer.Keep({all, Kind::kSequence, value.channels, writer.NewExtents()});
}

}  // namespace

void AddState(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value) return;
  if (writer.OneIn(2)) return AddMemory(writer, *value);
  AddGrowth(writer, *value);
}

}  // namespace dovetail::random_networks
