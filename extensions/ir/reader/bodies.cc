#include "dovetail/extensions/ir/reader/bodies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

// One <input> or <output> of a port map.
struct Entry {
  pugi::xml_node xml;
  int64_t external = 0;
  int internal = 0;  // index of the body's parameter or result
  std::optional<Slicing> slicing;
};

absl::StatusOr<int> FindInternal(
    pugi::xml_node xml, const char* attribute, const char* what,
    const std::unordered_map<int64_t, int>& indices) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t id, RequireInt(xml, attribute));
  const auto found = indices.find(id);
  if (found != indices.end()) return found->second;
  return InvalidArgument(LocationOf(xml), ": attribute '", attribute,
                         "': the body has no ", what, " with layer id ", id);
}

absl::StatusOr<std::optional<Slicing>> ReadSlicing(pugi::xml_node xml) {
  // Some writers give an empty axis for "not sliced".
  if (xml.attribute("axis").empty() || *xml.attribute("axis").value() == 0) {
    return std::optional<Slicing>();
  }
  Slicing slicing;
  DOVETAIL_ASSIGN_OR_RETURN(slicing.axis, RequireInt(xml, "axis"));
  DOVETAIL_ASSIGN_OR_RETURN(slicing.start, IntOr(xml, "start", 0));
  DOVETAIL_ASSIGN_OR_RETURN(slicing.end, IntOr(xml, "end", -1));
  DOVETAIL_ASSIGN_OR_RETURN(slicing.stride, IntOr(xml, "stride", 1));
  DOVETAIL_ASSIGN_OR_RETURN(slicing.part_size, IntOr(xml, "part_size", 1));
  if (slicing.stride == 0 || slicing.part_size < 1) {
    return InvalidArgument(
        LocationOf(xml),
        ": attributes 'stride' and 'part_size': ", slicing.stride, " and ",
        slicing.part_size, " cut nothing");
  }
  return std::optional<Slicing>(slicing);
}

absl::StatusOr<Entry> ReadEntry(
    pugi::xml_node xml, const char* what,
    const std::unordered_map<int64_t, int>& indices) {
  Entry entry;
  entry.xml = xml;
  DOVETAIL_ASSIGN_OR_RETURN(entry.external,
                            RequireInt(xml, "external_port_id"));
  DOVETAIL_ASSIGN_OR_RETURN(
      entry.internal, FindInternal(xml, "internal_layer_id", what, indices));
  DOVETAIL_ASSIGN_OR_RETURN(entry.slicing, ReadSlicing(xml));
  return entry;
}

bool HasPurpose(pugi::xml_node xml, absl::string_view purpose) {
  return purpose == xml.attribute("purpose").value();
}

class BodyBinder {
 public:
  BodyBinder(const Layer& layer, Graph graph)
      : layer_(layer),
        parameters_(std::move(graph.parameters)),
        results_(std::move(graph.results)),
        body_(std::make_unique<Body>()) {
    body_->model = std::move(graph.model);
  }

  absl::StatusOr<std::unique_ptr<Body>> Bind(pugi::xml_node port_map,
                                             pugi::xml_node back_edges) {
    absl::Status status = ReadInputs(port_map);
    if (status.ok()) status = ReadOutputs(port_map);
    if (status.ok()) status = ReadBackEdges(back_edges);
    if (status.ok()) status = CheckFed();
    if (!status.ok()) return layer_.Error(status.message());
    return std::move(body_);
  }

 private:
  absl::Status ReadInputs(pugi::xml_node port_map) {
    std::unordered_set<int> fed;
    for (pugi::xml_node xml : port_map.children("input")) {
      DOVETAIL_ASSIGN_OR_RETURN(const Entry entry,
                                ReadEntry(xml, "Parameter", parameters_));
      if (HasPurpose(xml, "current_iteration")) {
        body_->current_iteration_parameter = entry.internal;
      }
      if (entry.external < 0) continue;
      if (!fed.insert(entry.internal).second) {
        return InvalidArgument(LocationOf(xml),
                               ": two inputs feed one Parameter");
      }
      DOVETAIL_ASSIGN_OR_RETURN(const int input, InputIndex(entry));
      body_->inputs.push_back({input, entry.internal, entry.slicing});
    }
    // In order of the layer's inputs, whatever the order of the file.
    std::stable_sort(
        body_->inputs.begin(), body_->inputs.end(),
        [](const auto& a, const auto& b) { return a.input < b.input; });
    return absl::OkStatus();
  }

  absl::StatusOr<int> InputIndex(const Entry& entry) const {
    int input = layer_.inputs.IndexOf(entry.external);
    const auto count = static_cast<int64_t>(layer_.sources.size());
    if (input < 0 && entry.external < count) {
      input = static_cast<int>(entry.external);
    }
    if (0 <= input && input < count) return input;
    return InvalidArgument(LocationOf(entry.xml),
                           ": attribute 'external_port_id': ", "no input port ",
                           entry.external, " is connected; the ports are ",
                           layer_.inputs.Ids());
  }

  absl::Status ReadOutputs(pugi::xml_node port_map) {
    std::map<int64_t, Entry> outputs;
    bool all_are_ports = true;
    for (pugi::xml_node xml : port_map.children("output")) {
      DOVETAIL_ASSIGN_OR_RETURN(const Entry entry,
                                ReadEntry(xml, "Result", results_));
      if (HasPurpose(xml, "execution_condition")) {
        body_->execution_condition_result = entry.internal;
      }
      if (entry.external < 0) continue;
      if (!outputs.emplace(entry.external, entry).second) {
        return InvalidArgument(LocationOf(xml),
                               ": attribute 'external_port_id': two outputs ",
                               "have ", entry.external);
      }
      if (layer_.outputs.IndexOf(entry.external) < 0) all_are_ports = false;
    }
    int next = 0;
    for (const auto& [id, entry] : outputs) {
      const int output = all_are_ports ? layer_.outputs.IndexOf(id) : next;
      ++next;
      body_->outputs.push_back({output, entry.internal, entry.slicing});
    }
    return absl::OkStatus();
  }

  absl::Status ReadBackEdges(pugi::xml_node back_edges) {
    std::unordered_set<int> targets;
    for (pugi::xml_node xml : back_edges.children("edge")) {
      DOVETAIL_ASSIGN_OR_RETURN(
          const int result,
          FindInternal(xml, "from-layer", "Result", results_));
      DOVETAIL_ASSIGN_OR_RETURN(
          const int parameter,
          FindInternal(xml, "to-layer", "Parameter", parameters_));
      if (!targets.insert(parameter).second) {
        return InvalidArgument(LocationOf(xml),
                               ": two back edges lead to one Parameter");
      }
      body_->back_edges.push_back({result, parameter});
    }
    return absl::OkStatus();
  }

  // A parameter that something reads has to be given something.
  absl::Status CheckFed() const {
    std::unordered_set<int> fed = {body_->current_iteration_parameter};
    for (const BodyInput& input : body_->inputs) fed.insert(input.parameter);
    const std::vector<Node*>& parameters = body_->model->parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i]->has_uses() && fed.count(static_cast<int>(i)) == 0) {
        return InvalidArgument("no input feeds Parameter '",
                               parameters[i]->name(), "' of the body");
      }
    }
    return absl::OkStatus();
  }

  const Layer& layer_;
  std::unordered_map<int64_t, int> parameters_, results_;
  std::unique_ptr<Body> body_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Body>> TieBody(const Layer& layer,
                                              pugi::xml_node port_map,
                                              pugi::xml_node back_edges,
                                              Graph graph) {
  return BodyBinder(layer, std::move(graph)).Bind(port_map, back_edges);
}

}  // namespace dovetail::ir
