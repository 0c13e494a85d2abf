#include "dovetail/extensions/ir/writer/bodies_writer.h"

#include <optional>

#include "dovetail/core/graph/model.h"

namespace dovetail::ir {
namespace {

pugi::xml_node AppendEntry(pugi::xml_node port_map, const char* tag,
                           int external, int internal,
                           const std::optional<Slicing>& slicing) {
  pugi::xml_node entry = port_map.append_child(tag);
  entry.append_attribute("external_port_id") = external;
  entry.append_attribute("internal_layer_id") = internal;
  if (slicing.has_value()) {
    const auto set = [&](const char* name, int64_t value) {
      entry.append_attribute(name) = static_cast<long long>(value);
    };
    set("axis", slicing->axis);
    set("start", slicing->start);
    set("end", slicing->end);
    set("stride", slicing->stride);
    set("part_size", slicing->part_size);
  }
  return entry;
}

}  // namespace

void WritePortMap(const Body& body, const LayerIds& ids, int input_count,
                  pugi::xml_node port_map) {
  const auto& parameters = body.model->parameters();
  const auto& results = body.model->results();
  for (const BodyInput& input : body.inputs) {
    AppendEntry(port_map, "input", input.input,
                ids.at(parameters[input.parameter]), input.slicing);
  }
  if (body.current_iteration_parameter >= 0) {
    AppendEntry(port_map, "input", -1,
                ids.at(parameters[body.current_iteration_parameter]), {})
        .append_attribute("purpose") = "current_iteration";
  }
  for (const BodyOutput& output : body.outputs) {
    AppendEntry(port_map, "output", input_count + output.output,
                ids.at(results[output.result]), output.slicing);
  }
  if (body.execution_condition_result >= 0) {
    AppendEntry(port_map, "output", -1,
                ids.at(results[body.execution_condition_result]), {})
        .append_attribute("purpose") = "execution_condition";
  }
}

void WriteBackEdges(const Body& body, const LayerIds& ids,
                    pugi::xml_node back_edges) {
  for (const BackEdge& edge : body.back_edges) {
    pugi::xml_node xml = back_edges.append_child("edge");
    xml.append_attribute("from-layer") =
        ids.at(body.model->results()[edge.result]);
    xml.append_attribute("to-layer") =
        ids.at(body.model->parameters()[edge.parameter]);
  }
}

}  // namespace dovetail::ir
