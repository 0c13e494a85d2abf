#include "dovetail/extensions/ir/reader/graph_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/attributes/attributes_reader.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "dovetail/extensions/ir/reader/edges.h"
#include "dovetail/extensions/ir/reader/legacy/broadcast_axis.h"
#include "dovetail/extensions/ir/reader/names.h"
#include "dovetail/extensions/ir/reader/operations.h"
#include "dovetail/extensions/ir/reader/rt_info.h"

namespace dovetail::ir {
namespace {

// Inputs of the node that the layer becomes.
absl::StatusOr<std::vector<Value>> InputsOf(const Layer& layer,
                                            absl::Span<Node* const> built) {
  std::vector<Value> inputs;
  for (const Source& source : layer.sources) {
    Node* producer = built[source.layer];
    if (source.output >= producer->output_count()) {
      return layer.Error(absl::StrCat(
          "input ", inputs.size(), " reads output ", source.output, " of ",
          producer->Describe(), ", which has only ", producer->output_count()));
    }
    inputs.push_back(producer->output(source.output));
  }
  return inputs;
}

// What the file declares serves until the operation can infer.
void UseDeclaredOutputs(const Layer& layer, Node* node) {
  const Arity& arity = node->op().outputs;
  node->SetOutputCount(std::clamp(layer.outputs.size(), arity.min, arity.max));
  const int count = std::min(node->output_count(), layer.outputs.size());
  for (int i = 0; i < count; ++i) {
    node->port(i).type = layer.outputs[i].type;
    node->port(i).shape = layer.outputs[i].shape;
  }
}

}  // namespace

absl::StatusOr<Graph> GraphReader::Read(pugi::xml_node element) {
  DOVETAIL_ASSIGN_OR_RETURN(
      LayerList list, ReadLayers(element, options_.limits, &layer_budget_));
  DOVETAIL_RETURN_IF_ERROR(ConnectLayers(element.child("edges"), &list));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int> order,
                            BuildOrder(list.layers));
  if (body_depth_ == 0) {
    DOVETAIL_RETURN_IF_ERROR(CheckOperations(list.layers, order, options_));
  }
  Graph graph;
  graph.model = std::make_unique<Model>(element.attribute("name").value());
  std::vector<Node*> built(list.layers.size(), nullptr);
  for (int i : order) {
    const Layer& layer = list.layers[i];
    DOVETAIL_ASSIGN_OR_RETURN(built[i],
                              AddNode(layer, built, graph.model.get()));
    if (built[i]->Is("Parameter")) {
      graph.parameters[layer.id] = graph.model->parameters().size() - 1;
    } else if (built[i]->Is("Result")) {
      graph.results[layer.id] = graph.model->results().size() - 1;
    }
  }
  MakeNamesUnique(graph.model.get());
  return graph;
}

absl::StatusOr<Node*> GraphReader::AddNode(const Layer& layer,
                                           absl::Span<Node* const> built,
                                           Model* model) {
  DOVETAIL_ASSIGN_OR_RETURN(const OpInfo* op,
                            FindOperation(layer, options_.find_op));
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Value> inputs, InputsOf(layer, built));
  const int count = static_cast<int>(inputs.size());
  if (!op->inputs.Contains(count)) {
    return layer.Error(absl::StrCat("has ", count, " inputs, takes ",
                                    op->inputs.min, " to ", op->inputs.max));
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Attributes> attributes,
                            ReadAttributes(layer, *op));
  DOVETAIL_RETURN_IF_ERROR(AlignToBroadcastAxis(layer, model, &inputs));
  Node* node =
      model->AddUninferred(*op, inputs, std::move(attributes), layer.name);
  if (op->Has(kHasBodies)) {
    DOVETAIL_RETURN_IF_ERROR(ReadBodies(layer, node));
  }
  DOVETAIL_RETURN_IF_ERROR(InferOutputs(layer, node));
  if (absl::Status names = ReadNames(layer, node); !names.ok()) {
    return layer.Error(names.message());
  }
  return node;
}

absl::StatusOr<std::unique_ptr<Attributes>> GraphReader::ReadAttributes(
    const Layer& layer, const OpInfo& op) {
  const pugi::xml_node data = layer.xml.child("data");
  const int max_rank = options_.limits.max_rank;
  std::unique_ptr<Attributes> attributes = op.make_attributes();
  if (op.type == "Parameter" && !data) {
    return layer.Error("element <data> is missing");
  }
  AttributesReader reader(
      data, max_rank, [&] { return weights_.ReadConstant(data, max_rank); });
  attributes->Visit(reader);
  if (!reader.status().ok()) return layer.Error(reader.status().message());
  return attributes;
}

absl::Status GraphReader::ReadBodies(const Layer& layer, Node* node) {
  static constexpr const char* kBodies[][2] = {{"body", "port_map"},
                                               {"then_body", "then_port_map"},
                                               {"else_body", "else_port_map"}};
  const bool is_if = node->Is("If");
  for (size_t i = is_if ? 1 : 0; i < (is_if ? 3u : 1u); ++i) {
    const auto [body, port_map] = kBodies[i];
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Body> read,
                              ReadBody(layer, body, port_map));
    node->bodies().push_back(std::move(read));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Body>> GraphReader::ReadBody(
    const Layer& layer, const char* body, const char* port_map) {
  const pugi::xml_node xml = layer.xml.child(body);
  if (!xml) return layer.Error(absl::StrCat("element <", body, "> is missing"));
  if (body_depth_ >= options_.limits.max_body_depth) {
    return layer.Error(
        absl::StrCat("bodies are nested over ", body_depth_, " deep"));
  }
  ++body_depth_;
  absl::StatusOr<Graph> graph = Read(xml);
  --body_depth_;
  if (!graph.ok()) {
    return Annotate(graph.status(),
                    absl::StrCat(layer.Describe(), ": <", body, ">"));
  }
  return TieBody(layer, layer.xml.child(port_map),
                 layer.xml.child("back_edges"), *std::move(graph));
}

absl::Status GraphReader::InferOutputs(const Layer& layer, Node* node) const {
  // Where only values decide how many outputs there are (VariadicSplit), as
  // many as the file has stay until they are known.
  const Arity& arity = node->op().outputs;
  if (arity.min != arity.max && !node->op().Has(kHasBodies)) {
    node->SetOutputCount(
        std::clamp(layer.outputs.size(), arity.min, arity.max));
  }
  const absl::Status inferred = node->Infer();
  if (absl::IsUnimplemented(inferred)) {
    UseDeclaredOutputs(layer, node);
  } else if (!inferred.ok()) {
    return inferred;
  }
  // Shapes can also come from constants.
  for (int i = 0; i < node->output_count(); ++i) {
    const PartialShape& shape = node->port(i).shape;
    if (shape.rank_known() && shape.rank() > options_.limits.max_rank) {
      return layer.Error(absl::StrCat("output ", i, " has ", shape.rank(),
                                      " dimensions, the limit is ",
                                      options_.limits.max_rank));
    }
  }
  return absl::OkStatus();
}

absl::Status GraphReader::ReadNames(const Layer& layer, Node* node) const {
  const int count = std::min(node->output_count(), layer.outputs.size());
  for (int i = 0; i < count; ++i) {
    const pugi::xml_node xml = layer.outputs[i].xml;
    for (std::string& name : ParseTensorNames(xml.attribute("names").value())) {
      node->port(i).names.insert(std::move(name));
    }
    if (ir_version_ > 10) {
      DOVETAIL_RETURN_IF_ERROR(ReadRtInfo(xml, &node->port(i).rt_info));
    }
  }
  // A Result can have names of its own for what its producer gives.
  if (node->Is("Result")) {
    Value value = node->input(0);
    for (std::string& name :
         ParseTensorNames(layer.xml.attribute("output_names").value())) {
      value.port().names.insert(std::move(name));
    }
  }
  if (ir_version_ > 10) {
    DOVETAIL_RETURN_IF_ERROR(ReadRtInfo(layer.xml, &node->rt_info()));
  }
  ReadLegacyRtInfo(layer.xml.child("data"), &node->rt_info());
  return absl::OkStatus();
}

}  // namespace dovetail::ir
