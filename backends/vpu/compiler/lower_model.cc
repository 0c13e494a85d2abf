#include "dovetail/backends/vpu/compiler/lower_model.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/backends/vpu/compiler/engine_layers.h"
#include "dovetail/backends/vpu/compiler/shave_products.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"

namespace dovetail::vpu {
namespace {

bool IsOneOf(const Node& node, absl::Span<const OpType> types) {
  return std::any_of(types.begin(), types.end(),
                     [&](OpType type) { return node.Is(type); });
}

// What happens at the borders of a model: inputs become f16 as they arrive,
// which the layer of the Parameter counts; outputs leave as f16.
bool IsConversionAtBorder(const Node& node) {
  if (!node.Is("Convert")) return false;
  if (node.input(0).node->Is("Parameter")) return true;
  const std::vector<Use>& uses = node.port(0).uses;
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(),
                     [](const Use& use) { return use.node->Is("Result"); });
}

bool IsView(const Node& node) {
  static constexpr OpType kTypes[] = {"Reshape", "Squeeze", "Unsqueeze",
                                      "Split", "VariadicSplit"};
  return IsOneOf(node, kTypes);
}

bool IsEmpty(const PartialShape& partial) {
  const absl::StatusOr<Shape> shape = partial.ToShape();
  return shape.ok() && shape->Count() == 0;
}

bool HasNoElements(const Node& node) {
  return IsEmpty(node.port(0).shape) ||
         std::any_of(
             node.inputs().begin(), node.inputs().end(),
             [](Value input) { return input && IsEmpty(input.shape()); });
}

bool IsActivation(const Node& node) {
  static constexpr OpType kTypes[] = {"Relu", "Clamp", "PRelu"};
  return IsOneOf(node, kTypes);
}

// What an engine applies to its sums on the way out.
bool IsPostOperation(const Node& node, bool has_constant) {
  static constexpr OpType kScales[] = {"Add", "Multiply", "Subtract"};
  return IsActivation(node) || (has_constant && IsOneOf(node, kScales));
}

class Lowering {
 public:
  Lowering(const Machine& machine, const BlackList& black_list)
      : machine_(machine), black_list_(black_list) {}

  absl::Status Add(const Node& node) {
    if (node.Is("Result")) {
      AddToHost(node);
      return absl::OkStatus();
    }
    if (IsConstant(node)) {
      layers_[&node] = kConstant;
      return absl::OkStatus();
    }
    if (node.Is("If")) return AddIf(node);
    DOVETAIL_RETURN_IF_ERROR(CheckTimeModel(node));
    DOVETAIL_ASSIGN_OR_RETURN(Layer layer, Read(node));
    Push(node, std::move(layer));
    return absl::OkStatus();
  }

  Network Take() && { return std::move(network_); }

 private:
  static constexpr int kConstant = -1;

  // An input that is left open is a constant.
  int Of(const Value& value) const {
    return value ? layers_.at(value.node) : kConstant;
  }
  bool IsConstant(const Node& node) const {
    if (node.Is("Constant") || node.Is("ShapeOf")) return true;
    return node.input_count() > 0 &&
           std::all_of(
               node.inputs().begin(), node.inputs().end(),
               [&](const Value& value) { return Of(value) == kConstant; });
  }

  void Push(const Node& node, Layer layer) {
    layers_[&node] = static_cast<int>(network_.size());
    network_.push_back(std::move(layer));
  }

  // The layers of the body of more work, in the place of the node: which one
  // runs is not known before. A body whose shapes are not known does not count
  // where the other's are.
  absl::Status AddIf(const Node& node) {
    const Lowering before = *this;
    std::optional<Lowering> best;
    int chosen = 0;
    absl::Status first_error;
    for (int i = 0; i < static_cast<int>(node.bodies().size()); ++i) {
      Lowering one = before;
      const absl::Status status = one.AddBody(node, *node.bodies()[i]);
      if (!status.ok()) {
        first_error.Update(status);
      } else if (!best.has_value() ||
                 one.WorkSince(before) > best->WorkSince(before)) {
        best.emplace(std::move(one));
        chosen = i;
      }
    }
    if (!best.has_value()) return first_error;
    network_ = std::move(best->network_);
    layers_ = std::move(best->layers_);
    GiveReason(before.network_.size(),
               absl::StrCat("of the ", chosen == 0 ? "then" : "else",
                            "-body, which has more work"));
    return AddOutputs(node, *node.bodies()[chosen]);
  }

  // Of layers from `first` on, beside those that they have.
  void GiveReason(size_t first, const std::string& why) {
    for (size_t i = first; i < network_.size(); ++i) {
      if (network_[i].kind == LayerKind::kView) continue;
      std::string& reason = network_[i].reason;
      reason = reason.empty() ? why : absl::StrCat(reason, "; ", why);
    }
  }

  // Its layers have the node's name before their own.
  absl::Status AddBody(const Node& node, const Body& body) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              body.model->TopologicalOrder());
    for (const auto& parameter : body.model->parameters()) {
      layers_[parameter] = kConstant;
    }
    for (const BodyInput& input : body.inputs) {
      layers_[body.model->parameters()[input.parameter]] =
          Of(node.input(input.input));
    }
    const std::string outside = std::exchange(
        prefix_, absl::StrCat(prefix_, node.name(), "/"));
    for (const Node* one : order) {
      if (one->Is("Parameter") || one->Is("Result")) continue;
      DOVETAIL_RETURN_IF_ERROR(Add(*one));
    }
    prefix_ = outside;
    return absl::OkStatus();
  }

  // What others read of the node.
  absl::Status AddOutputs(const Node& node, const Body& body) {
    Layer layer;
    layer.name = absl::StrCat(prefix_, node.name());
    layer.type = std::string(node.op().type);
    layer.reason = "counts as its body of more work";
    if (!HasNoElements(node)) {
      DOVETAIL_RETURN_IF_ERROR(ReadOutput(node, layer));
    }
    for (const BodyOutput& output : body.outputs) {
      const int result = Of(body.model->results()[output.result]->input(0));
      if (result != kConstant) layer.inputs.push_back(Memory(result));
    }
    Push(node, std::move(layer));
    return absl::OkStatus();
  }

  // Multiply-adds and elements of the layers that another does not have.
  double WorkSince(const Lowering& before) const {
    double work = 0;
    for (size_t i = before.network_.size(); i < network_.size(); ++i) {
      if (network_[i].kind == LayerKind::kView) continue;
      work += static_cast<double>(network_[i].macs) +
              static_cast<double>(network_[i].elements);
    }
    return work;
  }

  // Outputs leave as f16.
  void AddToHost(const Node& result) {
    const int layer = Of(result.input(0));
    if (layer == kConstant) return;
    network_[layer].host_bytes += 2 * network_[layer].elements;
  }

  absl::StatusOr<Layer> Read(const Node& node) {
    Layer layer;
    layer.name = absl::StrCat(prefix_, node.name());
    layer.type = std::string(node.op().type);
    if (HasNoElements(node)) {
      layer.reason = "no elements";
      return layer;
    }
    DOVETAIL_RETURN_IF_ERROR(ReadOutput(node, layer));
    const std::string* const custom = PlaceOfKernel(node);
    for (const Value& value : node.inputs()) {
      const int input = Of(value);
      if (input != kConstant) layer.inputs.push_back(Memory(input));
    }
    if (custom != nullptr) {
      layer.kind = LayerKind::kCustom;
      layer.reason = absl::StrCat("custom kernel ", *custom);
      return layer;
    }
    const bool has_constant =
        static_cast<int>(layer.inputs.size()) < node.input_count();
    DOVETAIL_ASSIGN_OR_RETURN(
        const bool is_read,
        ReadEngineLayer(machine_, node, has_constant, layer));
    if (is_read) {
      KeepFromEngines(black_list_, layer);
      return layer;
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::optional<int64_t> products,
                              ShaveProducts(node));
    if (products.has_value()) {
      layer.kind = LayerKind::kProducts;
      layer.macs = *products;
      layer.reason = "engines have no such sums of products";
      return layer;
    }
    ReadOther(node, has_constant, layer);
    return layer;
  }

  // Rows are the last axis.
  absl::Status ReadOutput(const Node& node, Layer& layer) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              StaticShape(node, node.port(0).shape));
    DOVETAIL_ASSIGN_OR_RETURN(layer.elements, shape.ElementCount());
    const int rank = shape.rank();
    layer.shape.out_width = rank > 0 ? shape[rank - 1] : 1;
    layer.shape.out_height = rank > 1 ? shape[rank - 2] : 1;
    layer.shape.out_channels =
        layer.elements / layer.shape.out_width / layer.shape.out_height;
    return absl::OkStatus();
  }

  void ReadOther(const Node& node, bool has_constant, Layer& layer) {
    if (node.Is("Parameter")) {
      layer.kind = LayerKind::kInput;
      layer.host_bytes = layer.elements;  // u8
      layer.reason = "conversion of an input to f16";
    } else if (prefix_.empty() && IsConversionAtBorder(node)) {
      layer.reason = "converted with the input or output";
    } else if (IsView(node)) {
      layer.reason = "another name of the same memory";
    } else if (const int into = FusedInto(node, has_constant); into >= 0) {
      layer.reason = absl::StrCat("goes into ", network_[into].name);
      if (IsActivation(node)) network_[into].activation = 1;
    } else if (node.Is("Concat")) {
      layer.kind = LayerKind::kConcat;
      layer.reason = "its inputs are written to their places";
    } else {
      layer.kind =
          layer.inputs.size() > 1 ? LayerKind::kBinary : LayerKind::kUnary;
      layer.reason = "engines have no such operation; counted by its elements";
    }
  }

  // The layer that computes this one too, which reads nothing else of it; -1
  // for none.
  int FusedInto(const Node& node, bool has_constant) const {
    if (!IsPostOperation(node, has_constant)) return -1;
    const Value& data =
        Of(node.input(0)) == kConstant ? node.input(1) : node.input(0);
    // Others may read what comes into a body.
    if (data.port().uses.size() != 1 || data.node->Is("Parameter")) return -1;
    const int into = Memory(Of(data));
    const LayerKind kind = network_[into].kind;
    const bool sums = kind == LayerKind::kBinary && node.Is("Relu");
    return sums || kind == LayerKind::kConvolution ? into : -1;
  }

  // The layer that wrote what a chain of views names.
  int Memory(int layer) const {
    while (network_[layer].kind == LayerKind::kView &&
           network_[layer].inputs.size() == 1) {
      layer = network_[layer].inputs[0];
    }
    return layer;
  }

  const Machine& machine_;
  const BlackList& black_list_;
  std::string prefix_;  // of names in a body
  Network network_;
  std::unordered_map<const Node*, int> layers_;
};

}  // namespace

BlackList BlackListOf(const Network& network) {
  BlackList names;
  for (const Layer& layer : network) {
    if (layer.reason == kBlackListed) names.insert(layer.name);
  }
  return names;
}

void KeepFromEngines(const BlackList& black_list, Layer& layer) {
  const bool is_pool = layer.kind == LayerKind::kPool;
  if (!is_pool && layer.kind != LayerKind::kConvolution) return;
  if (black_list.count(layer.name) == 0) return;
  layer.kind = LayerKind::kProducts;
  layer.reason = std::string(kBlackListed);
  if (is_pool) {
    layer.macs = layer.elements * layer.shape.kernel_x * layer.shape.kernel_y;
  }
}

absl::Status CheckTimeModel(const Node& node) {
  if (!node.bodies().empty()) {
    return Unimplemented(node.Describe(), " has no time model: ",
                         node.Is("If") ? "which body" : "how often its body",
                         " runs is not known before");
  }
  if (node.output_count() == 0) {
    return Unimplemented(node.Describe(), " has no time model: no output");
  }
  return absl::OkStatus();
}

absl::StatusOr<Network> LowerModel(const Machine& machine, const Model& model,
                                   const BlackList& black_list) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  Lowering lowering(machine, black_list);
  for (const Node* node : order) {
    DOVETAIL_RETURN_IF_ERROR(lowering.Add(*node));
  }
  return std::move(lowering).Take();
}

}  // namespace dovetail::vpu
