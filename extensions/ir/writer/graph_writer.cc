#include "dovetail/extensions/ir/writer/graph_writer.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/writer/attributes_writer.h"
#include "dovetail/extensions/ir/writer/rt_info_writer.h"

namespace dovetail::ir {
namespace {

// "FP32" of f32: how ports spell types.
std::string Precision(ElementType type) {
  switch (type) {
    case ElementType::kDynamic: return "UNSPECIFIED";
    case ElementType::kBoolean: return "BOOL";
    case ElementType::kF16: return "FP16";
    case ElementType::kF32: return "FP32";
    case ElementType::kF64: return "FP64";
    default: return absl::AsciiStrToUpper(ElementTypeName(type));
  }
}

void WriteDims(const PartialShape& shape, pugi::xml_node port) {
  if (!shape.rank_known()) return;
  for (const Dimension& dim : shape) {
    const int64_t extent = dim.is_static() ? dim.value() : -1;
    port.append_child("dim").text() = static_cast<long long>(extent);
  }
}

// Names between commas. A backslash at the end of one would escape the comma
// behind it, so that such a name comes last.
std::string TensorNames(const OutputPort& port) {
  std::vector<std::string> names(port.names.begin(), port.names.end());
  std::stable_partition(names.begin(), names.end(), [](const auto& name) {
    return !absl::EndsWith(name, "\\");
  });
  return absl::StrJoin(
      names, ",", [](std::string* out, const std::string& name) {
        out->append(absl::StrReplaceAll(name, {{",", "\\,"}}));
      });
}

// The number of an input is its place among the parameters of the file, that of
// an output among the results, so these take each other's places in the order.
absl::StatusOr<std::vector<Node*>> LayerOrder(const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Node*> order, model.TopologicalOrder());
  size_t parameter = 0, result = 0;
  for (Node*& node : order) {
    if (node->Is("Parameter")) node = model.parameters()[parameter++];
    if (node->Is("Result")) node = model.results()[result++];
  }
  return order;
}

absl::StatusOr<std::string> OpsetName(const Node& node) {
  const OpInfo& op = node.op();
  if (!op.custom_opset.empty()) return std::string(op.custom_opset);
  if (op.opsets.first() > 0) return absl::StrCat("opset", op.opsets.first());
  return InvalidArgument(node.Describe(), ": no opset has this operation, so ",
                         "an IR cannot hold it");
}

// Two layers of one name are refused by some readers.
std::string UniqueName(const std::string& name,
                       std::unordered_set<std::string>* taken) {
  std::string unique = name;
  for (int i = 1; !taken->insert(unique).second; ++i) {
    unique = absl::StrCat(name, "_", i);
  }
  return unique;
}

absl::Status WriteEdges(const std::vector<Node*>& order, const LayerIds& ids,
                        pugi::xml_node edges) {
  for (const Node* node : order) {
    for (int i = 0; i < node->input_count(); ++i) {
      const Value from = node->input(i);
      if (!from) {
        return InvalidArgument(node->Describe(), ": input ", i,
                               " is not connected");
      }
      pugi::xml_node edge = edges.append_child("edge");
      edge.append_attribute("from-layer") = ids.at(from.node);
      edge.append_attribute("from-port") =
          from.node->input_count() + from.index;
      edge.append_attribute("to-layer") = ids.at(node);
      edge.append_attribute("to-port") = i;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LayerIds> GraphWriter::Write(const Model& model,
                                            pugi::xml_node element) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order, LayerOrder(model));
  LayerIds ids;
  for (const Node* node : order) ids.emplace(node, ids.size());
  std::unordered_set<std::string> taken;
  pugi::xml_node layers = element.append_child("layers");
  for (Node* node : order) {
    pugi::xml_node layer = layers.append_child("layer");
    DOVETAIL_ASSIGN_OR_RETURN(const std::string opset, OpsetName(*node));
    layer.append_attribute("id") = ids.at(node);
    SetText(layer, "name", UniqueName(node->name(), &taken));
    SetText(layer, "type", node->op().ir_type);
    SetText(layer, "version", opset);
    DOVETAIL_RETURN_IF_ERROR(WriteLayer(*node, layer));
  }
  DOVETAIL_RETURN_IF_ERROR(
      WriteEdges(order, ids, element.append_child("edges")));
  return ids;
}

absl::Status GraphWriter::WriteLayer(Node& node, pugi::xml_node layer) {
  AttributesWriter attributes(
      layer, [this](const Tensor& value, pugi::xml_node data) {
        return constants_.Write(value, data);
      });
  node.attributes().Visit(attributes);
  DOVETAIL_RETURN_IF_ERROR(Annotate(attributes.status(), node.Describe()));
  RtInfo info = node.rt_info();
  if (const auto width = info.children.find("alt_width");
      width != info.children.end() && width->second.children.empty()) {
    pugi::xml_node data = layer.child("data");
    SetText(data ? data : layer.append_child("data"), "alt_width",
            width->second.value);
    info.children.erase(width);
  }
  if (with_rt_info_) WriteRtInfo(info, layer);
  WriteInputs(node, layer);
  WriteOutputs(node, layer);
  return WriteBodies(node, layer);
}

void GraphWriter::WriteInputs(const Node& node, pugi::xml_node layer) const {
  if (node.input_count() == 0) return;
  pugi::xml_node inputs = layer.append_child("input");
  for (int i = 0; i < node.input_count(); ++i) {
    pugi::xml_node port = inputs.append_child("port");
    port.append_attribute("id") = i;
    const OutputPort& from = std::as_const(node.inputs()[i]).port();
    SetText(port, "precision", Precision(from.type));
    WriteDims(from.shape, port);
  }
}

void GraphWriter::WriteOutputs(const Node& node, pugi::xml_node layer) const {
  if (node.output_count() == 0) return;
  pugi::xml_node outputs = layer.append_child("output");
  for (int i = 0; i < node.output_count(); ++i) {
    pugi::xml_node port = outputs.append_child("port");
    port.append_attribute("id") = node.input_count() + i;
    const OutputPort& output = node.port(i);
    SetText(port, "precision", Precision(output.type));
    if (!output.names.empty()) SetText(port, "names", TensorNames(output));
    WriteDims(output.shape, port);
    if (with_rt_info_) WriteRtInfo(output.rt_info, port);
  }
}

absl::StatusOr<LayerIds> GraphWriter::WriteBody(const Body& body,
                                                const char* tag,
                                                pugi::xml_node layer) {
  if (body_depth_ >= kMaxBodyDepth) {
    return InvalidArgument("bodies are nested over ", kMaxBodyDepth, " deep");
  }
  ++body_depth_;
  pugi::xml_node element = layer.append_child(tag);
  SetText(element, "name", body.model->name());
  absl::StatusOr<LayerIds> ids = Write(*body.model, element);
  --body_depth_;
  return ids;
}

absl::Status GraphWriter::WriteBodies(const Node& node, pugi::xml_node layer) {
  struct Tags {
    const char *body, *port_map;
  };
  static constexpr Tags kOneBody[] = {{"body", "port_map"}};
  static constexpr Tags kIfBodies[] = {{"then_body", "then_port_map"},
                                       {"else_body", "else_port_map"}};
  const bool is_if = node.Is("If");
  const auto tags = is_if ? absl::MakeConstSpan(kIfBodies)
                          : absl::MakeConstSpan(kOneBody);
  if (node.bodies().empty() && !node.op().Has(kHasBodies)) {
    return absl::OkStatus();
  }
  if (node.bodies().size() != tags.size()) {
    return InvalidArgument(node.Describe(), ": has ", node.bodies().size(),
                           " bodies, needs ", tags.size());
  }
  for (size_t i = 0; i < tags.size(); ++i) {
    const Body& body = *node.bodies()[i];
    absl::StatusOr<LayerIds> ids = WriteBody(body, tags[i].body, layer);
    if (!ids.ok()) return Annotate(ids.status(), node.Describe());
    const pugi::xml_node xml = layer.child(tags[i].body);
    WritePortMap(body, *ids, node.input_count(),
                 layer.insert_child_before(tags[i].port_map, xml));
    if (!is_if) {
      WriteBackEdges(body, *ids, layer.insert_child_before("back_edges", xml));
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail::ir
