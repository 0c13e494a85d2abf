// From a user's model to the one that the interpreter runs.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_
#define DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
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

// A model that is ready to run, and what of the user's model has to be known
// beside it, since passes may change it.
struct LoweredModel {
  std::unique_ptr<Model> model;
  std::vector<PortInfo> inputs, outputs;
  std::vector<VariableInfo> variables;
  // Layers that went into others.
  std::vector<LayerName> optimized_out;
};

// Only passes that keep the meaning: the precision that the configuration asks
// for, then constant folding, merging of equal nodes, nops and dead code.
absl::Status LowerForInterpreter(Model& model, const Config& config);

// The same with all that is to be remembered of the model.
absl::StatusOr<LoweredModel> LowerModel(std::unique_ptr<Model> model,
                                        const Config& config);

// The variables of a model and its bodies, in order of appearance.
std::vector<VariableInfo> FindVariables(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_
