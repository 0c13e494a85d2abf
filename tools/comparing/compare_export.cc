#include "dovetail/tools/comparing/compare_export.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/tools/comparing/layer_outputs.h"

namespace dovetail::comparing {
namespace {

// The outputs of the model's layers by the layers' names, with their places in
// topological order. A name that several layers have says nothing.
class NamedLayers {
 public:
  explicit NamedLayers(absl::Span<const Value> outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const auto [it, is_new] =
          layers_.try_emplace(outputs[i].node->name(), Layer{});
      Layer& layer = it->second;
      if (is_new) layer.node = outputs[i].node;
      layer.is_one &= layer.node == outputs[i].node;
      layer.place = i;
    }
  }

  // The last of those that a node stands for; null without any.
  const Node* LastOf(const Node& node) const {
    const Layer* last = nullptr;
    for (const std::string& name : FusedNames(node)) {
      const auto it = layers_.find(name);
      if (it == layers_.end() || !it->second.is_one) continue;
      if (last == nullptr || it->second.place > last->place) last = &it->second;
    }
    return last == nullptr ? nullptr : last->node;
  }

 private:
  struct Layer {
    Node* node = nullptr;
    size_t place = 0;
    bool is_one = true;
  };
  std::map<std::string, Layer> layers_;
};

struct Pair {
  SameOutput same;
  Tensor want, through;
  bool is_right = false;  // with all that comes before
};

// Names alone may lead astray where a device has changed what it computes, such
// as products that it joins.
bool IsSameForm(const Tensor& want, const Tensor& got) {
  const bool is_same_kind =
      want.type() == got.type() || (IsFloat(want.type()) && IsFloat(got.type()));
  return is_same_kind && want.shape() == got.shape();
}

absl::StatusOr<Tensor> InType(ElementType type, const Tensor& tensor) {
  if (tensor.type() == type) return tensor;
  return ConvertTensor(tensor, type);
}

// The graph's inputs have the types of the passes that made it.
absl::StatusOr<std::vector<Tensor>> InputsOf(const Model& graph,
                                             absl::Span<const Tensor> inputs) {
  std::vector<Tensor> converted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        converted.emplace_back(),
        InType(graph.parameters()[i]->port().type, inputs[i]));
  }
  return converted;
}

// Whether all that reads the value next, of the pairs that are kept, is right,
// and anything does.
class NextPairs {
 public:
  void Keep(const Pair& pair) {
    const auto [it, is_new] =
        is_right_.try_emplace(pair.same.of_graph.node, pair.is_right);
    it->second &= pair.is_right;
  }
  bool AreRight(const Value& value) const {
    std::set<const Node*> seen;
    std::vector<const Node*> open = ReadersOf(value.port());
    bool any = false;
    while (!open.empty()) {
      const Node* const node = open.back();
      open.pop_back();
      if (!seen.insert(node).second) continue;
      const auto it = is_right_.find(node);
      if (it != is_right_.end()) {
        if (!it->second) return false;
        any = true;
        continue;
      }
      for (int i = 0; i < node->output_count(); ++i) {
        for (const Node* reader : ReadersOf(node->port(i))) {
          open.push_back(reader);
        }
      }
    }
    return any;
  }

 private:
  static std::vector<const Node*> ReadersOf(const OutputPort& port) {
    std::vector<const Node*> readers;
    for (const Use& use : port.uses) readers.push_back(use.node);
    return readers;
  }
  std::map<const Node*, bool> is_right_;
};

// Passes move what layers do to those behind them: a shift across a product, the
// scale of quantized numbers behind sums of integers. Such a value differs from
// the layer's, and what is computed of it next does not: it says nothing. An
// error goes on to the next layers.
std::vector<Pair> WithoutMoved(const std::vector<Pair>& pairs) {
  NextPairs next;
  std::vector<Pair> kept;
  for (size_t i = pairs.size(); i-- > 0;) {
    const Pair& pair = pairs[i];
    if (!pair.is_right && next.AreRight(pair.same.of_graph)) continue;
    next.Keep(pair);
    kept.push_back(pair);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

absl::StatusOr<std::vector<Pair>> FindPairs(
    const Core& core, const Model& model, const Model& graph,
    absl::Span<const Tensor> inputs, absl::Span<const Tensor> graph_inputs,
    const Side& want, const Side& got, double tolerance) {
  const std::vector<SameOutput> all = SameOutputs(model, graph);
  std::vector<Value> of_model, of_graph;
  for (const SameOutput& same : all) {
    of_model.push_back(same.of_model);
    of_graph.push_back(same.of_graph);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> expected,
                            InferLayers(core, model, of_model, want, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> through,
      InferLayers(core, graph, of_graph, got, graph_inputs));
  std::vector<Pair> pairs;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!IsSameForm(expected[i], through[i])) continue;
    pairs.push_back(
        {all[i], expected[i], through[i],
         Differ(expected[i], through[i]).relative <= tolerance});
  }
  return WithoutMoved(pairs);
}

// What the graph computes between two pairs is the error of the second.
absl::StatusOr<std::vector<Tensor>> InferApart(
    const Core& core, const Model& graph, const std::vector<Pair>& pairs,
    absl::Span<const Tensor> graph_inputs, const Side& got) {
  std::vector<Value> outputs;
  std::vector<Tensor> values;
  for (const Pair& pair : pairs) {
    outputs.push_back(pair.same.of_graph);
    DOVETAIL_ASSIGN_OR_RETURN(values.emplace_back(),
                              InType(pair.through.type(), pair.want));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const CutModel cut,
                            CutApart(graph, outputs, values, graph_inputs));
  return InferOn(core, *cut.model, got, cut.inputs);
}

// The graph is to run as it did when it was compiled.
PropertyMap ChosenProperties(const CompiledModel& compiled) {
  PropertyMap properties;
  for (const auto& [name, entry] : compiled.config().entries()) {
    if (entry.origin != PropertyOrigin::kDefault) {
      properties[name] = entry.value;
    }
  }
  return properties;
}

absl::Status CheckSamePorts(const Model& model, const CompiledModel& got) {
  const auto check = [](const char* ports, size_t of_export, size_t of_model) {
    if (of_export == of_model) return absl::OkStatus();
    return InvalidArgument("the exported model has ", of_export, " ", ports,
                           ", the model ", of_model);
  };
  DOVETAIL_RETURN_IF_ERROR(
      check("inputs", got.inputs().size(), model.parameters().size()));
  return check("outputs", got.outputs().size(), model.results().size());
}

}  // namespace

std::vector<SameOutput> SameOutputs(const Model& model, const Model& graph) {
  const std::vector<Value> of_model = LayerOutputs(model);
  const NamedLayers layers(of_model);
  const std::vector<Value> of_graph = LayerOutputs(graph);
  // Of several nodes that stand for a layer the last one has its output.
  std::map<std::pair<const Node*, int>, size_t> last;
  std::vector<const Node*> found(of_graph.size());
  for (size_t i = 0; i < of_graph.size(); ++i) {
    found[i] = layers.LastOf(*of_graph[i].node);
    if (found[i] != nullptr) last[{found[i], of_graph[i].index}] = i;
  }
  std::vector<SameOutput> same;
  for (size_t i = 0; i < of_graph.size(); ++i) {
    const int index = of_graph[i].index;
    if (found[i] == nullptr || last[{found[i], index}] != i) continue;
    const auto value = std::find_if(
        of_model.begin(), of_model.end(), [&](const Value& output) {
          return output.node == found[i] && output.index == index;
        });
    if (value != of_model.end()) same.push_back({*value, of_graph[i]});
  }
  return same;
}

absl::StatusOr<Comparison> CompareExport(const Core& core, const Model& model,
                                         absl::Span<const Tensor> inputs,
                                         const Side& want,
                                         const CompiledModel& got,
                                         const std::string& device,
                                         double tolerance) {
  DOVETAIL_RETURN_IF_ERROR(CheckSamePorts(model, got));
  Comparison comparison;
  comparison.tolerance = tolerance;
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> expected,
                            InferOn(core, model, want, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> found,
                            InferOnce(got, inputs));
  AddOutputs(model, expected, found, comparison);
  const Model* const graph = got.runtime_model();
  if (graph == nullptr || graph->parameters().size() != inputs.size()) {
    return comparison;
  }
  const Side side{device, ChosenProperties(got)};
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> graph_inputs,
                            InputsOf(*graph, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Pair> pairs,
      FindPairs(core, model, *graph, inputs, graph_inputs, want, side,
                tolerance));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> own,
      InferApart(core, *graph, pairs, graph_inputs, side));
  for (size_t i = 0; i < pairs.size(); ++i) {
    AddLayer(pairs[i].same.of_model, pairs[i].want, own[i], pairs[i].through,
             comparison);
  }
  return comparison;
}

}  // namespace dovetail::comparing
