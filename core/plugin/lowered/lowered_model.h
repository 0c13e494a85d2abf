// A user's model after a device's passes, and what of the user's model has to
// be known beside it.
#ifndef DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_MODEL_H_
#define DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/ports/port_info.h"
#include "dovetail/core/properties/config.h"

namespace dovetail {

// A variable as the user's model has it.
struct VariableInfo {
  std::string id;
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
};

// A layer of the user's model, by name and operation.
struct LayerName {
  std::string name;
  std::string type;
};

// A model that is ready to run, and what passes may have changed of it.
struct LoweredModel {
  std::unique_ptr<Model> model;
  std::vector<PortInfo> inputs, outputs;
  std::vector<VariableInfo> variables;
  // Layers that went into others.
  std::vector<LayerName> optimized_out;
};

// Notes what is to be remembered of the model and calls `lower`, the device's
// passes.
absl::StatusOr<LoweredModel> LowerModel(
    std::unique_ptr<Model> model,
    absl::FunctionRef<absl::Status(Model& model)> lower);

// Runs a device's passes and prints what PRINT_PASSES of the configuration asks
// for on stderr.
absl::Status RunPasses(PassManager& passes, Model& model, const Config& config);

// The variables of a model and its bodies, in order of appearance.
std::vector<VariableInfo> FindVariables(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_LOWERED_LOWERED_MODEL_H_
