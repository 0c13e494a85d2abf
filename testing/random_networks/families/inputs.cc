#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// An extent for each variant, the same for all of a network that is static.
std::vector<int64_t> Extents(NetworkWriter& writer, int low, int high) {
  std::vector<int64_t> extents;
  for (int i = 0; i < NetworkWriter::kVariants; ++i) {
    extents.push_back(writer.From(low, high));
  }
  return extents;
}

size_t Count(const NetworkWriter& writer) { return writer.variants().size(); }

std::string ToFloats(NetworkWriter& writer, const std::string& value) {
  return writer.Node("Convert-0", {value}, "destination_type: f32");
}

void AddImage(NetworkWriter& writer) {
  const int64_t channels =
      writer.OneIn(2) ? writer.From(1, 4) : writer.From(1, 4) * 8;
  const int most = writer.OneIn(4) ? 36 : 16;
  const auto rows = Extents(writer, 1, most);
  const auto columns = Extents(writer, 1, most);
  std::vector<Shape> shapes;
  for (size_t i = 0; i < Count(writer); ++i) {
    shapes.push_back(
        {writer.batch(static_cast<int>(i)), channels, rows[i], columns[i]});
  }
  const std::string type = writer.OneOf({"f32", "f32", "f16", "u8"});
  std::string value = writer.Input(type, shapes);
  if (type != "f32") value = ToFloats(writer, value);
  if (type == "u8") {
    value = writer.Node("Subtract-1", {value, writer.Scalar(128)});
    value = writer.Node("Multiply-1", {value, writer.Scalar(0.01)});
  }
  writer.Keep({value, Kind::kImage, channels, writer.NewExtents()});
}

void AddSequence(NetworkWriter& writer) {
  const int64_t channels = writer.From(1, 6) * 4;
  const auto steps = Extents(writer, 1, 9);
  std::vector<Shape> shapes;
  for (size_t i = 0; i < Count(writer); ++i) {
    shapes.push_back({writer.batch(static_cast<int>(i)), steps[i], channels});
  }
  writer.Keep({writer.Input("f32", shapes), Kind::kSequence, channels,
               writer.NewExtents()});
}

void AddTokens(NetworkWriter& writer) {
  const int64_t channels = writer.From(1, 6) * 4;
  const auto steps = Extents(writer, 1, 9);
  std::vector<Shape> shapes;
  for (size_t i = 0; i < Count(writer); ++i) {
    shapes.push_back({writer.batch(static_cast<int>(i)), steps[i]});
  }
  const std::string tokens = writer.Input(writer.OneOf({"i32", "i64"}), shapes);
  const std::string type = writer.OneOf({"f32", "f16", "u8", "i8"});
  std::string table = writer.Weights({9, channels}, type);
  if (type != "f32") table = ToFloats(writer, table);
  if (type == "u8" || type == "i8") {
    table = writer.Node("Multiply-1", {table, writer.Floats({9, 1}, 0.02)});
  }
  const std::string rows = writer.Node(
      "Gather-8", {table, tokens, writer.Integer(0)}, "batch_dims: 0");
  writer.Keep({rows, Kind::kSequence, channels, writer.NewExtents()});
}

}  // namespace

void AddInput(NetworkWriter& writer) {
  switch (writer.From(0, 3)) {
    case 0:
      return AddSequence(writer);
    case 1:
      return AddTokens(writer);
    default:
      return AddImage(writer);
  }
}

}  // namespace dovetail::random_networks
