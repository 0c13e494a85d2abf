#include "dovetail/extensions/ir/reader/edges.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <unordered_map>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

struct Edge {
  int64_t from_layer, from_port, to_layer, to_port;
};

absl::StatusOr<Edge> ReadEdge(pugi::xml_node xml) {
  Edge edge;
  DOVETAIL_ASSIGN_OR_RETURN(edge.from_layer, RequireInt(xml, "from-layer"));
  DOVETAIL_ASSIGN_OR_RETURN(edge.from_port, RequireInt(xml, "from-port"));
  DOVETAIL_ASSIGN_OR_RETURN(edge.to_layer, RequireInt(xml, "to-layer"));
  DOVETAIL_ASSIGN_OR_RETURN(edge.to_port, RequireInt(xml, "to-port"));
  return edge;
}

absl::StatusOr<int> FindLayer(const LayerList& list, pugi::xml_node xml,
                              const char* attribute, int64_t id) {
  const auto found = list.by_id.find(id);
  if (found != list.by_id.end()) return found->second;
  return InvalidArgument(LocationOf(xml), ": attribute '", attribute,
                         "': there is no layer with id ", id);
}

absl::Status Connect(pugi::xml_node xml, LayerList* list) {
  DOVETAIL_ASSIGN_OR_RETURN(const Edge edge, ReadEdge(xml));
  // Some old files have edges left over between layers that are gone.
  if (list->by_id.count(edge.from_layer) + list->by_id.count(edge.to_layer) ==
      0) {
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const int from, FindLayer(*list, xml, "from-layer", edge.from_layer));
  DOVETAIL_ASSIGN_OR_RETURN(
      const int to, FindLayer(*list, xml, "to-layer", edge.to_layer));
  const Layer& producer = list->layers[from];
  Layer& consumer = list->layers[to];
  const int output = producer.outputs.IndexOf(edge.from_port);
  if (output < 0) {
    return producer.Error(absl::StrCat("an edge leaves from output port ",
                                       edge.from_port, ", but its ports are ",
                                       producer.outputs.Ids()));
  }
  const int input = consumer.inputs.IndexOf(edge.to_port);
  if (input < 0) {
    return consumer.Error(absl::StrCat(
        "an edge leads to input port ", edge.to_port, ", but its ports are ",
        consumer.inputs.Ids()));
  }
  if (static_cast<int>(consumer.sources.size()) <= input) {
    consumer.sources.resize(input + 1);
  }
  Source& source = consumer.sources[input];
  if (source.layer >= 0) {
    return consumer.Error(absl::StrCat("two edges lead to input port ",
                                       edge.to_port));
  }
  source = {from, output};
  return absl::OkStatus();
}

// Text of the attribute that pairs ReadValue and Assign.
std::string VariableId(const Layer& layer) {
  return layer.xml.child("data").attribute("variable_id").value();
}

// Which layers have to come before which, and who is needed at all.
class Order {
 public:
  explicit Order(const std::vector<Layer>& layers)
      : layers_(layers),
        needed_(layers.size(), false),
        next_(layers.size()),
        waits_for_(layers.size(), 0) {}

  absl::StatusOr<std::vector<int>> Compute() {
    MarkNeeded();
    AddDependencies();
    std::vector<int> order = Sort();
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (needed_[i] && waits_for_[i] > 0) return CycleError(i);
    }
    return order;
  }

 private:
  void MarkNeeded() {
    std::vector<int> pending;
    const auto need = [&](int i) {
      if (needed_[i]) return;
      needed_[i] = true;
      pending.push_back(i);
    };
    for (size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      if (layer.Is("Result") || layer.Is("Assign") || layer.Is("Parameter")) {
        need(i);
      }
    }
    while (!pending.empty()) {
      const int i = pending.back();
      pending.pop_back();
      for (const Source& source : layers_[i].sources) {
        if (source.layer >= 0) need(source.layer);
      }
    }
  }

  void AddDependency(int before, int after) {
    next_[before].push_back(after);
    ++waits_for_[after];
  }

  void AddDependencies() {
    int last_result = -1;
    std::unordered_map<std::string, std::vector<int>> reads;
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (!needed_[i]) continue;
      for (const Source& source : layers_[i].sources) {
        if (source.layer >= 0) AddDependency(source.layer, i);
      }
      if (layers_[i].Is("Result")) {
        if (last_result >= 0) AddDependency(last_result, i);
        last_result = static_cast<int>(i);
      }
      if (layers_[i].Is("ReadValue"))
        reads[VariableId(layers_[i])].push_back(i);
    }
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (!needed_[i] || !layers_[i].Is("Assign")) continue;
      for (int read : reads[VariableId(layers_[i])]) AddDependency(read, i);
    }
  }

  // Always the first layer of the file of those that wait for nothing.
  std::vector<int> Sort() {
    std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (needed_[i] && waits_for_[i] == 0) ready.push(i);
    }
    std::vector<int> order;
    while (!ready.empty()) {
      const int i = ready.top();
      ready.pop();
      order.push_back(i);
      for (int after : next_[i]) {
        if (--waits_for_[after] == 0) ready.push(after);
      }
    }
    return order;
  }

  // What waits for something after the sort is on a cycle or behind one:
  // walking backwards from it comes round.
  absl::Status CycleError(int start) const {
    std::vector<int> before(layers_.size(), -1);
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (!needed_[i] || waits_for_[i] == 0) continue;
      for (int after : next_[i]) before[after] = static_cast<int>(i);
    }
    std::vector<bool> seen(layers_.size(), false);
    int i = start;
    while (!seen[i]) {
      seen[i] = true;
      i = before[i];
    }
    constexpr int kMax = 8;
    std::string path(layers_[i].name);
    int count = 0;
    for (int k = before[i]; k != i && count < kMax; k = before[k], ++count) {
      path = absl::StrCat(layers_[k].name, " -> ", path);
    }
    return layers_[i].Error(absl::StrCat(
        "is on a cycle: ", count == kMax ? "… -> " : "",
        count == kMax ? "" : absl::StrCat(layers_[i].name, " -> "), path));
  }

  const std::vector<Layer>& layers_;
  std::vector<bool> needed_;
  std::vector<std::vector<int>> next_;
  std::vector<int> waits_for_;
};

}  // namespace

absl::Status ConnectLayers(pugi::xml_node edges, LayerList* list) {
  for (pugi::xml_node xml : edges.children("edge")) {
    DOVETAIL_RETURN_IF_ERROR(Connect(xml, list));
  }
  for (const Layer& layer : list->layers) {
    for (size_t i = 0; i < layer.sources.size(); ++i) {
      if (layer.sources[i].layer < 0) {
        return layer.Error(absl::StrCat("no edge leads to input ", i,
                                        ", though one does to a later input"));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> BuildOrder(const std::vector<Layer>& layers) {
  return Order(layers).Compute();
}

}  // namespace dovetail::ir
