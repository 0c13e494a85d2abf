#include "dovetail/core/graph/text.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/graph/attributes/attribute_text.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model/order.h"

namespace dovetail {
namespace {

// A name as it is, or quoted where it could not be told from what is around it.
std::string NameText(const std::string& name) {
  const bool plain =
      !name.empty() && name.front() != '"' &&
      absl::StripAsciiWhitespace(name).size() == name.size() &&
      std::none_of(name.begin(), name.end(),
                   [](char c) { return absl::ascii_iscntrl(c); });
  return plain ? name : QuotedText(name);
}

std::string SlicingText(const std::optional<Slicing>& slicing) {
  if (!slicing.has_value()) return "";
  return absl::StrCat(" axis=", slicing->axis, " start=", slicing->start,
                      " end=", slicing->end, " stride=", slicing->stride,
                      " part_size=", slicing->part_size);
}

// "inputs {…} outputs {…} back_edges {…}", and what only Loop has.
std::string BindingsText(const Body& body) {
  std::vector<std::string> inputs, outputs, edges;
  for (const BodyInput& input : body.inputs) {
    inputs.push_back(absl::StrCat(input.input, "->", input.parameter,
                                  SlicingText(input.slicing)));
  }
  for (const BodyOutput& output : body.outputs) {
    outputs.push_back(absl::StrCat(output.result, "->", output.output,
                                   SlicingText(output.slicing)));
  }
  for (const BackEdge& edge : body.back_edges) {
    edges.push_back(absl::StrCat(edge.result, "->", edge.parameter));
  }
  std::string text = absl::StrCat(
      "inputs {", absl::StrJoin(inputs, ", "), "} outputs {",
      absl::StrJoin(outputs, ", "), "} back_edges {",
      absl::StrJoin(edges, ", "), "}");
  if (body.current_iteration_parameter != -1) {
    absl::StrAppend(&text, " iteration ", body.current_iteration_parameter);
  }
  if (body.execution_condition_result != -1) {
    absl::StrAppend(&text, " condition ", body.execution_condition_result);
  }
  return text;
}

class Printer {
 public:
  explicit Printer(const TextOptions& options) : options_(options) {}

  void Print(const Model& model, const std::string& indent) {
    const std::vector<Node*> order = Order(model);
    std::unordered_map<const Node*, int> numbers;
    for (const Node* node : order) {
      const int number = static_cast<int>(numbers.size());
      numbers[node] = number;
    }
    for (const Node* node : order) {
      absl::StrAppend(&text_, indent);
      PrintNode(*node, numbers);
      PrintBodies(*node, indent + "  ");
    }
  }

  std::string Finish() { return std::move(text_); }

 private:
  std::vector<Node*> Order(const Model& model) const {
    if (options_.canonical_order) return CanonicalOrder(model);
    if (auto order = model.TopologicalOrder(); order.ok()) return *order;
    std::vector<Node*> order;
    for (const auto& node : model.nodes()) order.push_back(node.get());
    return order;
  }

  void PrintNode(const Node& node,
                 const std::unordered_map<const Node*, int>& numbers) {
    std::vector<std::string> inputs;
    for (Value input : node.inputs()) {
      inputs.push_back(
          !input ? "_"
                 : absl::StrCat("%", numbers.at(input.node),
                                input.index == 0
                                    ? ""
                                    : absl::StrCat(":", input.index)));
    }
    absl::StrAppend(&text_, "%", numbers.at(&node), " = ",
                    node.op().ToString(), "(", absl::StrJoin(inputs, ", "),
                    ") ",
                    AttributesText(node.attributes(), options_.max_elements));
    for (int i = 0; options_.with_types && i < node.output_count(); ++i) {
      absl::StrAppend(&text_, i == 0 ? " : " : ", ", PortText(node.port(i)));
    }
    if (options_.with_names) {
      absl::StrAppend(&text_, "  # ", NameText(node.name()));
    }
    absl::StrAppend(&text_, "\n");
  }

  std::string PortText(const OutputPort& port) const {
    std::string text = absl::StrCat(ElementTypeName(port.type),
                                    port.shape.ToString());
    if (!options_.with_names) return text;
    for (const std::string& name : port.names) {
      absl::StrAppend(&text, " ", QuotedText(name));
    }
    return text;
  }

  void PrintBodies(const Node& node, const std::string& indent) {
    for (const auto& body : node.bodies()) {
      absl::StrAppend(&text_, indent, "body ");
      if (options_.with_names && !body->model->name().empty()) {
        absl::StrAppend(&text_, QuotedText(body->model->name()), " ");
      }
      absl::StrAppend(&text_, BindingsText(*body), " {\n");
      Print(*body->model, indent + "  ");
      absl::StrAppend(&text_, indent, "}\n");
    }
  }

  const TextOptions options_;
  std::string text_;
};

}  // namespace

std::string ModelText(const Model& model, const TextOptions& options) {
  Printer printer(options);
  printer.Print(model, "");
  if (!options.with_names || model.name().empty()) return printer.Finish();
  return absl::StrCat("model ", QuotedText(model.name()), "\n",
                      printer.Finish());
}

}  // namespace dovetail
