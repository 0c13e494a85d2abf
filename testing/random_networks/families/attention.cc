#include "absl/strings/str_cat.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// [batch, steps, channels] as [batch, 2 heads, steps, channels / 2].
std::string Heads(NetworkWriter& writer, const Value& value) {
  const std::string weights = writer.Weights({value.channels, value.channels});
  const std::string product = writer.Node("MatMul-0", {value.name, weights});
  const std::string split = writer.Node(
      "Reshape-1", {product, writer.Integers({0, 0, 2, value.channels / 2})},
      "special_zero: true");
  return writer.Node("Transpose-1", {split, writer.Integers({0, 2, 1, 3})});
}

std::string SpelledOut(NetworkWriter& writer, const std::string& queries,
                       const std::string& keys, const std::string& values) {
  std::string scores =
      writer.Node("MatMul-0", {queries, keys}, "transpose_b: true");
  scores = writer.Node("Multiply-1", {scores, writer.Scalar(0.35)});
  scores = writer.Node("Softmax-8", {scores}, "axis: 3");
  return writer.Node("MatMul-0", {scores, values});
}

}  // namespace

void AddAttention(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value || value->channels % 4 != 0) return;
  // Keys of another value, which may have other steps.
  const auto other = writer.OneIn(3) ? writer.Pick(Kind::kSequence) : value;
  const Value& source = other->channels == value->channels ? *other : *value;
  const std::string queries = Heads(writer, *value);
  const std::string keys = Heads(writer, source);
  const std::string values = Heads(writer, source);
  const std::string attended =
      writer.OneIn(2)
          ? SpelledOut(writer, queries, keys, values)
          : writer.Node("ScaledDotProductAttention-13", {queries, keys, values},
                        writer.OneIn(2) ? "causal: true" : "causal: false");
  const std::string back =
      writer.Node("Transpose-1", {attended, writer.Integers({0, 2, 1, 3})});
  writer.Keep(
      *value,
      writer.Node("Reshape-1", {back, writer.Integers({0, 0, value->channels})},
                  "special_zero: true"));
}

}  // namespace dovetail::random_networks
