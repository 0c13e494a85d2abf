#include "dovetail/transformations/simplify/constant_folding.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/ops/structural/known_tensor.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

constexpr uint32_t kNeverFolded =
    kHasSideEffect | kNondeterministic | kReadsState | kHasBodies;

// Folds within one model or body.
class Folder {
 public:
  Folder(Model& model, const ConstantFoldingOptions& options, int64_t& growth)
      : model_(model), options_(options), growth_(growth) {}

  absl::StatusOr<bool> Run() {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              model_.TopologicalOrder());
    // Constants further on may be removed on the way.
    std::vector<std::pair<int64_t, Node*>> nodes;
    for (Node* node : order) nodes.emplace_back(node->id(), node);
    bool changed = false;
    for (const auto& [id, node] : nodes) {
      if (removed_.count(id) != 0) continue;
      InferAgain(*node);
      if (!MayFold(*node)) continue;
      std::optional<std::vector<Tensor>> outputs = OutputsOf(*node);
      if (!outputs.has_value()) continue;
      DOVETAIL_RETURN_IF_ERROR(Replace(*node, *outputs));
      changed = true;
    }
    return changed;
  }

 private:
  bool MayFold(const Node& node) const {
    if ((node.op().traits & kNeverFolded) != 0 || !node.bodies().empty() ||
        node.Is("Parameter") || node.Is("Constant") || !node.has_uses()) {
      return false;
    }
    const RtInfo& info = node.rt_info();
    if (info.Find({"DisableConstantFolding_0"}) != nullptr) return false;
    return options_.fold_decompression ||
           info.Find({"decompression_0"}) == nullptr;
  }

  // A folded input may have a shape, or a value, that was not known before.
  // Where that contradicts the node, it stays as it was: it may never run.
  void InferAgain(Node& node) {
    const bool stale = std::any_of(
        node.inputs().begin(), node.inputs().end(),
        [this](Value input) { return refined_.count(input.node->id()) != 0; });
    if (stale && node.Infer().ok()) refined_.insert(node.id());
  }

  std::optional<std::vector<Tensor>> OutputsOf(const Node& node) const {
    if (node.output_count() == 1) {
      std::optional<Tensor> known = KnownIntegerTensor(node.port());
      if (known.has_value()) return std::vector<Tensor>{*std::move(known)};
    }
    std::vector<Tensor> inputs;
    for (Value input : node.inputs()) {
      const Tensor* constant = ConstantOf(input);
      if (constant == nullptr) return std::nullopt;
      inputs.push_back(*constant);
    }
    const int64_t limit = Limit(inputs);
    if (KnownBytes(node) > limit) return std::nullopt;
    return Evaluate(node, inputs, limit);
  }

  int64_t Limit(const std::vector<Tensor>& inputs) const {
    int64_t input_bytes = 0;
    for (const Tensor& input : inputs) input_bytes += input.byte_size();
    const int64_t limit = std::max(options_.max_output_bytes, input_bytes);
    const int64_t left = options_.max_growth_bytes - growth_;
    return std::min(limit, std::max(left, int64_t{0}) + input_bytes);
  }

  // The size of the outputs whose shape is known.
  static int64_t KnownBytes(const Node& node) {
    int64_t sum = 0;
    for (int i = 0; i < node.output_count(); ++i) {
      const OutputPort& port = node.port(i);
      if (!port.shape.is_static() || port.type == ElementType::kDynamic) {
        continue;
      }
      const int64_t count = port.shape.ElementCount().max();
      const auto bytes = ByteSize(port.type, count);
      const auto total = bytes.ok() ? CheckedAdd(sum, *bytes) : std::nullopt;
      if (!total.has_value()) return std::numeric_limits<int64_t>::max();
      sum = *total;
    }
    return sum;
  }

  static std::optional<std::vector<Tensor>> Evaluate(
      const Node& node, std::vector<Tensor>& inputs, int64_t limit) {
    for (Tensor& input : inputs) {
      if (input.is_contiguous()) continue;
      auto packed = input.Clone();
      if (!packed.ok()) return std::nullopt;
      input = *std::move(packed);
    }
    KernelEnvironment environment;
    int64_t left = limit;
    environment.allocate = [&left](
                               const Node&, int, ElementType type,
                               const Shape& shape) -> absl::StatusOr<Tensor> {
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, count));
      if (bytes > left) return ResourceExhausted("too large to be folded");
      left -= bytes;
      return Tensor::AllocateUninitialized(type, shape);
    };
    auto outputs = EvaluateNode(node, inputs, environment);
    if (!outputs.ok()) return std::nullopt;
    for (const Tensor& output : *outputs) {
      if (!output.has_data()) return std::nullopt;
    }
    return *std::move(outputs);
  }

  absl::Status Replace(Node& node, const std::vector<Tensor>& outputs) {
    std::vector<Value> values;
    for (int i = 0; i < node.output_count(); ++i) {
      const std::string name = node.output_count() == 1
                                   ? node.name()
                                   : absl::StrCat(node.name(), ".", i);
      DOVETAIL_ASSIGN_OR_RETURN(Node * constant,
                                AddConstant(model_, outputs[i], name));
      SetFusedNames(*constant, FusedNames(node));
      for (Value input : node.inputs()) {
        if (ConstantOf(input) != nullptr) AddFusedNames(*constant, *input.node);
      }
      // Names of tensors that no result reads stay too.
      constant->port().names = node.port(i).names;
      refined_.insert(constant->id());
      growth_ += outputs[i].byte_size();
      values.push_back(constant->output());
    }
    const std::vector<Value> inputs = node.inputs();
    removed_.insert(node.id());
    model_.ReplaceNode(&node, values);
    RemoveUnread(inputs);
    return absl::OkStatus();
  }

  void RemoveUnread(std::vector<Value> inputs) {
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (Value input : inputs) {
      const Tensor* constant = ConstantOf(input);
      if (constant == nullptr || input.node->has_uses()) continue;
      growth_ -= constant->byte_size();
      removed_.insert(input.node->id());
      model_.RemoveNode(input.node);
    }
  }

  Model& model_;
  const ConstantFoldingOptions& options_;
  int64_t& growth_;
  // Ids, as new nodes may get the addresses of removed ones: of nodes whose
  // outputs are now better known, and of those that are gone.
  std::unordered_set<int64_t> refined_;
  std::unordered_set<int64_t> removed_;
};

}  // namespace

absl::StatusOr<bool> ConstantFolding::Run(Model& model) {
  int64_t growth = 0;
  return ForEachModel(
      model, [&](Model& each) { return Folder(each, options_, growth).Run(); });
}

}  // namespace dovetail
