#include "dovetail/extensions/ir/reader/layers.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

absl::Status ReadPort(pugi::xml_node xml, bool is_output,
                      const ReadLimits& limits, PortList* ports) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t id, RequireInt(xml, "id"));
  LayerPort port;
  port.xml = xml;
  DOVETAIL_ASSIGN_OR_RETURN(port.shape, ReadDims(xml, limits));
  if (is_output) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view precision,
                              RequireText(xml, "precision"));
    absl::StatusOr<ElementType> type = ParseElementType(precision);
    if (!type.ok()) {
      return Annotate(type.status(),
                      absl::StrCat(LocationOf(xml), ": attribute 'precision'"));
    }
    port.type = *type;
  }
  ports->Add(id, std::move(port));
  return absl::OkStatus();
}

absl::Status ReadPorts(pugi::xml_node side, bool is_output,
                       const ReadLimits& limits, PortList* ports) {
  for (pugi::xml_node xml : side.children("port")) {
    DOVETAIL_RETURN_IF_ERROR(ReadPort(xml, is_output, limits, ports));
  }
  return Annotate(ports->Finish(), is_output ? "output" : "input");
}

absl::StatusOr<Layer> ReadLayer(pugi::xml_node xml, const ReadLimits& limits) {
  Layer layer;
  layer.xml = xml;
  DOVETAIL_ASSIGN_OR_RETURN(layer.id, RequireInt(xml, "id"));
  DOVETAIL_ASSIGN_OR_RETURN(layer.name, RequireText(xml, "name"));
  DOVETAIL_ASSIGN_OR_RETURN(layer.type, RequireText(xml, "type"));
  DOVETAIL_ASSIGN_OR_RETURN(layer.version, RequireText(xml, "version"));
  absl::Status ports =
      ReadPorts(xml.child("input"), false, limits, &layer.inputs);
  if (ports.ok()) {
    ports = ReadPorts(xml.child("output"), true, limits, &layer.outputs);
  }
  if (!ports.ok()) return layer.Error(ports.message());
  return layer;
}

// Names the layer in the message even when it lacks what Describe shows.
absl::Status InLayer(pugi::xml_node xml, const absl::Status& status) {
  if (absl::StartsWith(status.message(), "layer '")) return status;
  const pugi::xml_attribute name = xml.attribute("name");
  return Annotate(status, name ? absl::StrCat("layer '", name.value(), "'")
                               : std::string("a layer without a name"));
}

}  // namespace

void PortList::Add(int64_t id, LayerPort port) {
  ids_.emplace_back(id, size());
  ports_.push_back(std::move(port));
}

absl::Status PortList::Finish() {
  std::sort(ids_.begin(), ids_.end());
  for (size_t i = 1; i < ids_.size(); ++i) {
    if (ids_[i - 1].first == ids_[i].first) {
      return InvalidArgument("two ports have the id ", ids_[i].first);
    }
  }
  return absl::OkStatus();
}

int PortList::IndexOf(int64_t id) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(),
                                      std::make_pair(id, 0));
  return found != ids_.end() && found->first == id ? found->second : -1;
}

std::string PortList::Ids() const {
  constexpr size_t kMax = 8;
  std::string text;
  for (size_t i = 0; i < ids_.size() && i < kMax; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", ids_[i].first);
  }
  if (ids_.size() > kMax) text += ", …";
  return text.empty() ? "none" : text;
}

bool Layer::Is(absl::string_view ir_type) const {
  return absl::EqualsIgnoreCase(type, ir_type);
}

std::string Layer::Describe() const {
  // Names can be megabytes long.
  constexpr size_t kMax = 200;
  return absl::StrCat("layer '", name.substr(0, kMax), "' (",
                      type.substr(0, kMax), " of ", version.substr(0, kMax),
                      ", id ", id, ")");
}

absl::Status Layer::Error(absl::string_view message) const {
  return InvalidArgument(Describe(), ": ", message);
}

absl::StatusOr<PartialShape> ReadDims(pugi::xml_node port,
                                      const ReadLimits& limits) {
  std::vector<Dimension> dims;
  for (pugi::xml_node dim : port.children("dim")) {
    absl::StatusOr<int64_t> value = ParseInt(dim.child_value());
    if (!value.ok()) {
      return Annotate(value.status(), LocationOf(dim));
    }
    if (*value < -1) {
      return InvalidArgument(
          LocationOf(dim), ": dimension ", *value,
          " is negative; only -1 may be, for an unknown one");
    }
    dims.emplace_back(*value);
    if (static_cast<int>(dims.size()) > limits.max_rank) {
      return InvalidArgument(LocationOf(port), ": over ", limits.max_rank,
                             " dimensions");
    }
  }
  return PartialShape(std::move(dims));
}

absl::StatusOr<LayerList> ReadLayers(pugi::xml_node graph,
                                     const ReadLimits& limits,
                                     int64_t* budget) {
  LayerList list;
  for (pugi::xml_node xml : graph.child("layers").children("layer")) {
    if (--*budget < 0) {
      return InvalidArgument("over ", limits.max_layers, " layers");
    }
    absl::StatusOr<Layer> layer = ReadLayer(xml, limits);
    if (!layer.ok()) return InLayer(xml, layer.status());
    const int position = static_cast<int>(list.layers.size());
    const auto [other, is_new] = list.by_id.emplace(layer->id, position);
    if (!is_new) {
      return layer->Error(absl::StrCat("layer '",
                                       list.layers[other->second].name,
                                       "' has the same id"));
    }
    list.layers.push_back(*std::move(layer));
  }
  return list;
}

}  // namespace dovetail::ir
