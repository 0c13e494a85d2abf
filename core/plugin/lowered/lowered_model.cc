#include "dovetail/core/plugin/lowered/lowered_model.h"

#include <iostream>
#include <set>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/state/variable.h"
#include "dovetail/core/pass/print_observer.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// What PRINT_PASSES asks for, on stderr.
class PassPrinter : public PassObserver {
 public:
  explicit PassPrinter(std::string which)
      : which_(std::move(which)), print_(std::cerr, /*with_models=*/true) {}

  void Before(const Pass& pass, const Model& model) override {
    if (Wanted(pass)) print_.Before(pass, model);
  }
  void After(const Pass& pass, const Model& model, bool changed) override {
    if (Wanted(pass)) print_.After(pass, model, changed);
  }

 private:
  bool Wanted(const Pass& pass) const {
    return which_ == "YES" || which_ == pass.name();
  }
  const std::string which_;
  PrintObserver print_;
};

// Layers of which only the fused names of others tell, in order.
std::vector<LayerName> LayersWithout(std::vector<LayerName> layers,
                                     const Model& lowered) {
  std::set<std::string> there;
  for (const auto& node : lowered.nodes()) there.insert(node->name());
  std::vector<LayerName> gone;
  for (LayerName& layer : layers) {
    if (there.count(layer.name) == 0) gone.push_back(std::move(layer));
  }
  return gone;
}

void AddVariables(const Model& model, OpType type, std::set<std::string>& known,
                  std::vector<VariableInfo>& variables) {
  for (const auto& node : model.nodes()) {
    for (const auto& body : node->bodies()) {
      AddVariables(*body->model, type, known, variables);
    }
    if (!node->Is(type)) continue;
    const std::string* id = VariableIdOf(*node);
    if (id == nullptr || !known.insert(*id).second) continue;
    variables.push_back({*id, node->port().type, node->port().shape});
  }
}

}  // namespace

absl::Status RunPasses(PassManager& passes, Model& model,
                       const Config& config) {
  const std::string which = config.GetString(properties::kPrintPasses);
  PassPrinter printer(which);
  if (!which.empty() && which != "NO") passes.set_observer(&printer);
  return passes.Run(model).status();
}

absl::StatusOr<LoweredModel> LowerModel(
    std::unique_ptr<Model> model,
    absl::FunctionRef<absl::Status(Model& model)> lower) {
  LoweredModel lowered;
  lowered.inputs = InputPorts(*model);
  lowered.outputs = OutputPorts(*model);
  lowered.variables = FindVariables(*model);
  std::vector<LayerName> layers;
  for (const auto& node : model->nodes()) {
    if (node->Is("Constant")) continue;
    layers.push_back({node->name(), std::string(node->op().type)});
  }
  DOVETAIL_RETURN_IF_ERROR(lower(*model));
  lowered.optimized_out = LayersWithout(std::move(layers), *model);
  lowered.model = std::move(model);
  return lowered;
}

std::vector<VariableInfo> FindVariables(const Model& model) {
  std::set<std::string> known;
  std::vector<VariableInfo> variables;
  AddVariables(model, "ReadValue", known, variables);
  AddVariables(model, "Assign", known, variables);
  return variables;
}

}  // namespace dovetail
