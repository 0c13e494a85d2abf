#include "dovetail/extensions/ir/testing/body_nets.h"

#include "absl/strings/str_cat.h"
#include "dovetail/extensions/ir/testing/ir_text.h"

namespace dovetail::ir {
namespace {

std::string AddText(int id) {
  return LayerText{.id = id, .name = "add", .type = "Add", .inputs = 2}
      .ToString();
}

// The content of a body: y = x + h.
std::string SumBody(absl::string_view more_layers = "",
                    absl::string_view more_edges = "") {
  return absl::StrCat("<layers>\n", ParameterText(0, "x", "1,4"),
                      ParameterText(1, "h", "1,4"), AddText(2),
                      ResultText(3, "y"), more_layers, "</layers>\n<edges>\n",
                      EdgeText(0, 0, 2, 0), EdgeText(1, 0, 2, 1),
                      EdgeText(2, 2, 3, 0), more_edges, "</edges>\n");
}

// The layer "iterate", whose first input after `first` others is cut.
std::string IterateText(absl::string_view type, absl::string_view opset,
                        int first, absl::string_view more_bindings,
                        absl::string_view body) {
  constexpr char kSlicing[] =
      "axis=\"0\" start=\"0\" end=\"-1\" stride=\"1\" part_size=\"1\"";
  const std::string more = absl::StrCat(
      "<port_map>\n<input external_port_id=\"", first,
      "\" internal_layer_id=\"0\" ", kSlicing, "/>\n<input external_port_id=\"",
      first + 1, "\" internal_layer_id=\"1\"/>\n<output external_port_id=\"",
      first + 2, "\" internal_layer_id=\"3\"/>\n<output external_port_id=\"",
      first + 3, "\" internal_layer_id=\"3\" ", kSlicing, "/>\n", more_bindings,
      "</port_map>\n<back_edges>\n<edge from-layer=\"3\" to-layer=\"1\"/>\n"
      "</back_edges>\n<body>\n",
      body, "</body>\n");
  return LayerText{.id = 9,
                   .name = "iterate",
                   .type = std::string(type),
                   .opset = std::string(opset),
                   .inputs = first + 2,
                   .outputs = 2,
                   .more = more}
      .ToString();
}

std::string IterateNet(absl::string_view more_layers, int first,
                       absl::string_view more_edges) {
  return NetText(
      absl::StrCat(ParameterText(0, "sequence", "7,4"),
                   ParameterText(1, "state", "1,4"), more_layers,
                   ResultText(10, "last"), ResultText(11, "all")),
      absl::StrCat(EdgeText(0, 0, 9, first), EdgeText(1, 0, 9, first + 1),
                   more_edges, EdgeText(9, first + 2, 10, 0),
                   EdgeText(9, first + 3, 11, 0)));
}

}  // namespace

std::string TensorIteratorNet() {
  return IterateNet(IterateText("TensorIterator", "opset1", 0, "", SumBody()),
                    0, "");
}

std::string LoopNet() {
  const std::string body =
      SumBody(absl::StrCat(ConstText(4, "true", "boolean", "", 8, 1),
                           ResultText(5, "go on"),
                           ParameterText(6, "i", "", "i64")),
              EdgeText(4, 0, 5, 0));
  const std::string layer = IterateText(
      "Loop", "opset5", 2,
      "<input external_port_id=\"-1\" internal_layer_id=\"6\" "
      "purpose=\"current_iteration\"/>\n"
      "<output external_port_id=\"-1\" internal_layer_id=\"5\" "
      "purpose=\"execution_condition\"/>\n",
      body);
  return IterateNet(absl::StrCat(ConstText(2, "trips", "i64", "", 0, 8),
                                 ConstText(3, "start", "boolean", "", 8, 1),
                                 layer),
                    2, EdgeText(2, 0, 9, 0) + EdgeText(3, 0, 9, 1));
}

std::string LoopWeights() { return std::string("\7\0\0\0\0\0\0\0\1", 9); }

std::string IfNet() {
  std::string maps, bodies;
  for (const char* branch : {"then", "else"}) {
    absl::StrAppend(&maps, "<", branch,
                    "_port_map>\n<input external_port_id=\"1\" "
                    "internal_layer_id=\"0\"/>\n<input external_port_id=\"2\" "
                    "internal_layer_id=\"1\"/>\n<output "
                    "external_port_id=\"3\" internal_layer_id=\"3\"/>\n</",
                    branch, "_port_map>\n");
    absl::StrAppend(&bodies, "<", branch, "_body>\n", SumBody(), "</", branch,
                    "_body>\n");
  }
  return NetText(
      absl::StrCat(ParameterText(0, "condition", "", "boolean"),
                   ParameterText(1, "x", "1,4"), ParameterText(2, "h", "1,4"),
                   LayerText{.id = 3,
                             .name = "if",
                             .type = "If",
                             .opset = "opset8",
                             .inputs = 3,
                             .more = maps + bodies}
                       .ToString(),
                   ResultText(4, "out")),
      absl::StrCat(EdgeText(0, 0, 3, 0), EdgeText(1, 0, 3, 1),
                   EdgeText(2, 0, 3, 2), EdgeText(3, 3, 4, 0)));
}

std::string NestedNet(int depth) {
  std::string layer = AddText(1);
  std::string edges = EdgeText(0, 0, 1, 0) + EdgeText(0, 0, 1, 1);
  for (int i = 0; i < depth; ++i) {
    const int from_port = i == 0 ? 2 : 1;
    const std::string body = absl::StrCat(
        "<layers>\n", ParameterText(0, "x", "1"), layer, ResultText(2, "y"),
        "</layers>\n<edges>\n", edges, EdgeText(1, from_port, 2, 0),
        "</edges>\n");
    layer = LayerText{.id = 1,
                      .name = absl::StrCat("level", i),
                      .type = "TensorIterator",
                      .more = absl::StrCat(
                          "<port_map>\n<input external_port_id=\"0\" "
                          "internal_layer_id=\"0\" axis=\"0\"/>\n<output "
                          "external_port_id=\"1\" internal_layer_id=\"2\"/>\n"
                          "</port_map>\n<body>\n",
                          body, "</body>\n")}
                .ToString();
    edges = EdgeText(0, 0, 1, 0);
  }
  return NetText(
      absl::StrCat(ParameterText(0, "x", "1"), layer, ResultText(2, "y")),
      absl::StrCat(edges, EdgeText(1, depth == 0 ? 2 : 1, 2, 0)));
}

}  // namespace dovetail::ir
