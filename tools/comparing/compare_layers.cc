#include "dovetail/tools/comparing/compare_layers.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/tools/comparing/layer_outputs.h"

namespace dovetail::comparing {
namespace {

absl::Status CompareOutputs(const Core& core, const Model& model,
                            absl::Span<const Tensor> inputs, const Side& want,
                            const Side& got, Comparison& comparison) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> expected,
                            InferOn(core, model, want, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> found,
                            InferOn(core, model, got, inputs));
  AddOutputs(model, expected, found, comparison);
  return absl::OkStatus();
}

}  // namespace

void AddOutputs(const Model& model, absl::Span<const Tensor> want,
                absl::Span<const Tensor> got, Comparison& comparison) {
  for (size_t i = 0; i < want.size(); ++i) {
    comparison.output_names.push_back(model.OutputName(static_cast<int>(i)));
    comparison.outputs.push_back(Differ(want[i], got[i]));
    comparison.outputs_off |=
        comparison.outputs.back().relative > comparison.tolerance;
  }
}

void AddLayer(const Value& output, const Tensor& want, const Tensor& own,
              const Tensor& through, Comparison& comparison) {
  ComparedLayer layer;
  layer.name = output.node->name();
  layer.type = std::string(output.node->op().type);
  layer.output = output.index;
  layer.own = Differ(want, own);
  layer.through = Differ(want, through);
  layer.is_off = layer.own.relative > comparison.tolerance;
  if (layer.is_off && comparison.first_off == -1) {
    comparison.first_off = static_cast<int>(comparison.layers.size());
  }
  comparison.layers.push_back(std::move(layer));
}

absl::StatusOr<std::vector<Tensor>> InferOnce(const CompiledModel& compiled,
                                              absl::Span<const Tensor> inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, compiled.NewRequest());
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(static_cast<int>(i), inputs[i]));
  }
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < compiled.outputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs.emplace_back(),
                              request.Output(static_cast<int>(i)));
  }
  return outputs;
}

absl::StatusOr<std::vector<Tensor>> InferOn(const Core& core,
                                            const Model& model,
                                            const Side& side,
                                            absl::Span<const Tensor> inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            core.Compile(model, side.device, side.properties));
  return InferOnce(compiled, inputs);
}

absl::StatusOr<std::vector<Tensor>> InferLayers(
    const Core& core, const Model& model, absl::Span<const Value> outputs,
    const Side& side, absl::Span<const Tensor> inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> with_results,
                            WithResults(model, outputs));
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> all,
                            InferOn(core, *with_results, side, inputs));
  all.erase(all.begin(),
            all.begin() + static_cast<std::ptrdiff_t>(model.results().size()));
  return all;
}

absl::StatusOr<Comparison> CompareLayers(const Core& core, const Model& model,
                                         absl::Span<const Tensor> inputs,
                                         const Side& want, const Side& got,
                                         double tolerance) {
  Comparison comparison;
  comparison.tolerance = tolerance;
  DOVETAIL_RETURN_IF_ERROR(
      CompareOutputs(core, model, inputs, want, got, comparison));
  const std::vector<Value> outputs = LayerOutputs(model);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> expected,
                            InferLayers(core, model, outputs, want, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> through,
                            InferLayers(core, model, outputs, got, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const CutModel cut,
                            CutApart(model, outputs, expected, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> own,
                            InferOn(core, *cut.model, got, cut.inputs));
  for (size_t i = 0; i < outputs.size(); ++i) {
    AddLayer(outputs[i], expected[i], own[i], through[i], comparison);
  }
  return comparison;
}

}  // namespace dovetail::comparing
