#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/testing/random_networks/families/families.h"

namespace dovetail::random_networks {
namespace {

// The nodes of a body, which have names of their own.
class BodyWriter {
 public:
  std::string Node(absl::string_view operation,
                   const std::vector<std::string>& inputs,
                   absl::string_view attributes = "") {
    const std::string name = absl::StrCat("%b", next_++);
    absl::StrAppend(&text_, name, " = ", operation, "(",
                    absl::StrJoin(inputs, ", "), ") {", attributes, "}\n");
    return name;
  }
  // "body inputs … {" and what was added.
  std::string Finish(absl::string_view bindings) const {
    return absl::StrCat("body ", bindings, " {\n", text_, "}\n");
  }

 private:
  std::string text_;
  int next_ = 0;
};

// A few operations on a value of [?, ?, channels].
std::string Chain(NetworkWriter& writer, BodyWriter& body, std::string value,
                  int64_t channels) {
  for (int left = writer.From(1, 3); left > 0; --left) {
    switch (writer.From(0, 2)) {
      case 0: {
        const std::string weights = body.Node(
            "Constant-0", {}, writer.FloatsText({channels, channels}, 0.4));
        value = body.Node("MatMul-0", {value, weights});
        break;
      }
      case 1: {
        const std::string bias =
            body.Node("Constant-0", {}, writer.FloatsText({channels}, 0.5));
        value = body.Node("Add-1", {value, bias});
        break;
      }
      default:
        value = body.Node(writer.OneOf({"Relu-0", "Sigmoid-0", "HSwish-4"}),
                          {value});
    }
  }
  return body.Node("Tanh-0", {value});
}

std::string Truth(NetworkWriter& writer) {
  const std::vector<Shape> scalars(NetworkWriter::kVariants);
  return writer.Node("Greater-1",
                     {writer.Input("i32", scalars),
                      writer.Node("Constant-0", {}, "value: i32[] {2}")});
}

void AddIf(NetworkWriter& writer, const Value& value) {
  std::string bodies;
  for (int branch = 0; branch < 2; ++branch) {
    BodyWriter body;
    const std::string input = body.Node("Parameter-0", {});
    body.Node("Result-0", {Chain(writer, body, input, value.channels)});
    bodies += body.Finish("inputs {1->0} outputs {0->0} back_edges {}");
  }
  writer.Keep(value,
              writer.Node("If-8", {Truth(writer), value.name}, "", bodies));
}

// A state that goes through the body as often as an input says.
void AddLoop(NetworkWriter& writer, const Value& value) {
  BodyWriter body;
  const std::string state = body.Node("Parameter-0", {});
  const std::string same = body.Node("Parameter-0", {});
  const std::string sum = body.Node("Add-1", {state, same});
  const std::string next = Chain(writer, body, sum, value.channels);
  body.Node("Result-0", {next});
  std::string bindings = "inputs {2->0, 3->1} outputs {0->0} back_edges {0->0}";
  if (writer.OneIn(2)) {
    // Ends after the first one, or not, as the extents are.
    const std::string count =
        body.Node("ReduceSum-1",
                  {body.Node("ShapeOf-3", {next}, "output_type: i64"),
                   body.Node("Constant-0", {}, "value: i64[1] {0}")},
                  "keep_dims: false");
    const std::string limit =
        body.Node("Constant-0", {},
                  absl::StrCat("value: i64[] {",
                               value.channels + writer.From(2, 12), "}"));
    body.Node("Result-0", {body.Node("Less-1", {count, limit})});
    bindings += " condition 1";
  }
  const std::vector<Shape> scalars(NetworkWriter::kVariants);
  const std::string times =
      writer.OneIn(2) ? writer.Input("i64", scalars) : writer.Integer(3);
  const std::string go = writer.Node("Constant-0", {}, "value: boolean[] {1}");
  const std::string other = writer.PickLike(value).name;
  writer.Keep(value, writer.Node("Loop-5", {times, go, value.name, other}, "",
                                 body.Finish(bindings)));
}

// A recurrence over the steps, from either end.
void AddIterator(NetworkWriter& writer, const Value& value) {
  BodyWriter body;
  const std::string part = body.Node("Parameter-0", {});
  const std::string state = body.Node("Parameter-0", {});
  const std::string mixed = Chain(writer, body, state, value.channels);
  const std::string next = body.Node("Add-1", {part, mixed});
  const std::string out = body.Node("Tanh-0", {next});
  body.Node("Result-0", {out});
  body.Node("Result-0", {body.Node("Multiply-1", {out, part})});
  const std::string range = writer.OneIn(2)
                                ? "axis=1 start=0 end=-1 stride=1 part_size=1"
                                : "axis=1 start=-1 end=0 stride=-1 part_size=1";
  const std::string bindings =
      absl::StrCat("inputs {0->0 ", range, ", 1->1} outputs {0->0, 1->1 ",
                   range, "} back_edges {0->1}");
  const std::string start = writer.Node(
      "ReduceMean-1", {value.name, writer.Integers({1})}, "keep_dims: true");
  const std::string outputs = writer.Node(
      "TensorIterator-0", {value.name, start}, "", body.Finish(bindings));
  writer.Keep({outputs, Kind::kSequence, value.channels,
               writer.ExtentsAfter(value.extents, "last")});
  writer.Keep(value, outputs + ":1");
}

}  // namespace

void AddBody(NetworkWriter& writer) {
  const auto value = writer.Pick(Kind::kSequence);
  if (!value) return;
  switch (writer.From(0, 2)) {
    case 0:
      return AddIf(writer, *value);
    case 1:
      return AddLoop(writer, *value);
    default:
      return AddIterator(writer, *value);
  }
}

}  // namespace dovetail::random_networks
