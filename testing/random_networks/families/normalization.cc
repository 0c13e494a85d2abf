#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

void AddMoments(NetworkWriter& writer, const Value& value) {
  const bool image = value.kind == Kind::kImage;
  const std::string axes = image && writer.OneIn(2) ? writer.Integers({2, 3})
                           : image                  ? writer.Integers({1, 2, 3})
                                                    : writer.Integers({2});
  // A large epsilon: what little a single element deviates from its own mean is
  // all rounding.
  writer.Keep(value, writer.Node("MVN-6", {value.name, axes},
                                 "normalize_variance: true, eps: 0.01, "
                                 "eps_mode: inside_sqrt"));
}

// Layer normalization as frameworks spell it out.
void AddSpelledOut(NetworkWriter& writer, const Value& value) {
  const std::string axis =
      writer.Integers({value.kind == Kind::kImage ? 1 : 2});
  const auto mean = [&](const std::string& of) {
    return writer.Node("ReduceMean-1", {of, axis}, "keep_dims: true");
  };
  const std::string centred =
      writer.Node("Subtract-1", {value.name, mean(value.name)});
  const std::string squares =
      writer.Node("Power-1", {centred, writer.Scalar(2)});
  const std::string variance =
      writer.Node("Add-1", {mean(squares), writer.Scalar(0.01)});
  const std::string deviation = writer.Node("Sqrt-0", {variance});
  writer.Keep(value, writer.Node("Divide-1", {centred, deviation}));
}

void AddLrn(NetworkWriter& writer, const Value& value) {
  writer.Keep(value, writer.Node("LRN-0", {value.name, writer.Integers({1})},
                                 "alpha: 0.1, beta: 0.75, bias: 1, size: 5"));
}

void AddSoftmax(NetworkWriter& writer, const Value& value) {
  const int last = value.kind == Kind::kImage ? 3 : 2;
  const std::string axis = std::to_string(writer.From(1, last));
  writer.Keep(value, writer.Node("Softmax-8", {value.name}, "axis: " + axis));
}

// Of rows and columns, or steps, and added to all of them.
void AddReduction(NetworkWriter& writer, const Value& value) {
  const std::string axes = value.kind == Kind::kImage ? writer.Integers({2, 3})
                                                      : writer.Integers({1});
  const std::string reduced =
      writer.Node(writer.OneOf({"ReduceMean-1", "ReduceMax-1", "ReduceMin-1",
                                "ReduceL2-4"}),
                  {value.name, axes}, "keep_dims: true");
  writer.Keep(value, writer.Node("Add-1", {value.name, reduced}));
}

}  // namespace

void AddNormalization(NetworkWriter& writer) {
  const auto value =
      writer.Pick(writer.OneIn(2) ? Kind::kImage : Kind::kSequence);
  if (!value) return;
  switch (writer.From(0, 4)) {
    case 0:
      return AddSpelledOut(writer, *value);
    case 1:
      return AddSoftmax(writer, *value);
    case 2:
      return AddReduction(writer, *value);
    case 3:
      if (value->kind == Kind::kImage) return AddLrn(writer, *value);
      [[fallthrough]];
    default:
      return AddMoments(writer, *value);
  }
}

}  // namespace dovetail::random_networks
